package io.snowlease.admin.http;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.IdGenerator;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Claims the ids of one request on the event loop, without blocking it: where the generator says that it can go on in a
 * few ms (the tick's ids are used up, the clock is a little behind), the loop comes back then. An id may wait as long
 * as the generator's own default, 100 ms.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: what fails shows as a closed channel
final class IdClaim implements Runnable {
    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A batch that does not fit its tick loses what it got of it, so it is claimed in pieces of this share. */
    private static final int PIECES_PER_TICK = 16;

    private static final int MAX_PIECE = 1_024;

    private final Exchange exchange;
    private final IdGenerator generator;
    private final OptionalLong key;
    private final long[] ids;
    private final Function<long[], Reply> render;
    private final Clocks clocks;
    private final long timeoutNanos;
    private long startedNanos;
    private long waitingSinceNanos;
    private boolean waiting;
    private int claimed;

    IdClaim(
            Exchange exchange,
            IdGenerator generator,
            OptionalLong key,
            int count,
            Duration timeout,
            Clocks clocks,
            Function<long[], Reply> render) {
        this.exchange = exchange;
        this.generator = generator;
        this.key = key;
        this.ids = new long[count];
        this.timeoutNanos = timeout.toNanos();
        this.clocks = clocks;
        this.render = render;
    }

    void start() {
        if (ids.length > 1) {
            startedNanos = clocks.monotonicNanos();
        }
        run();
    }

    @Override
    public void run() {
        try {
            while (claimed < ids.length) {
                claimPiece();
                waiting = false;
            }
        } catch (IdGenerationException e) {
            waitOrRefuse(e);
            return;
        }
        exchange.reply(render.apply(ids));
    }

    private void claimPiece() {
        int size = Math.min(ids.length - claimed, pieceSize());
        if (size == 1) {
            // Not ids[claimed++] = …: that would count an id that is then refused.
            ids[claimed] = key.isPresent() ? generator.nextId(key.getAsLong()) : generator.nextId();
            claimed++;
            return;
        }
        long[] piece = new long[size];
        if (key.isPresent()) {
            generator.nextIds(piece, key.getAsLong());
        } else {
            generator.nextIds(piece);
        }
        System.arraycopy(piece, 0, ids, claimed, size);
        claimed += size;
    }

    private int pieceSize() {
        long perTick = 1L << generator.layout().sequenceBits();
        return (int) Math.max(1, Math.min(MAX_PIECE, perTick / PIECES_PER_TICK));
    }

    private void waitOrRefuse(IdGenerationException refusal) {
        long now = clocks.monotonicNanos();
        if (!waiting) {
            waiting = true;
            waitingSinceNanos = now;
        }
        long pauseNanos = Math.max(1, refusal.retryAfterMillis()) * TimeUnit.MILLISECONDS.toNanos(1);
        long waitedNanos = now - waitingSinceNanos;
        if (refusal.retryAfterMillis() < 0 || waitedNanos + pauseNanos > MAX_WAIT_NANOS) {
            exchange.reply(Reply.unavailable(String.valueOf(refusal.getMessage()), refusal.retryAfterMillis()));
        } else if (ids.length > 1 && now - startedNanos + pauseNanos > timeoutNanos) {
            exchange.reply(Reply.unavailable(
                    "only " + claimed + " of " + ids.length + " ids came within "
                            + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms: ask for fewer at once",
                    -1));
        } else {
            exchange.loop().schedule(this, pauseNanos, TimeUnit.NANOSECONDS);
        }
    }
}
