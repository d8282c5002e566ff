package io.snowlease.generator;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An {@link IdGenerator} on a {@link WorkerLease}. How an id is claimed is told in {@code Run}.
 *
 * <p>A lease that stops (lost, evicted, closed) stops the ids; calls then wait up to {@code maxWait} for {@link
 * #switchTo} to bring another, and throw {@link LeaseLostException} after that.
 */
public final class SnowflakeGenerator implements IdGenerator {
    private static final Logger LOG = System.getLogger(SnowflakeGenerator.class.getName());
    private static final Duration LAYOUT_END_WARNING = Duration.ofDays(365);

    private final Settings settings;
    private final Layout layout;
    private final int shardBits;
    private final long shardMask;
    private final long sequenceMask;
    private final Refusals refusals;
    private final Waits waits;
    private final Object switching = new Object();
    private volatile Run run;
    private volatile long earlierLastTick = -1;
    private volatile boolean closed;

    SnowflakeGenerator(Settings settings, WorkerLease lease) {
        this.settings = settings;
        this.layout = settings.layout();
        this.shardBits = layout.shardBits();
        this.shardMask = (1L << shardBits) - 1;
        this.sequenceMask = (1L << layout.sequenceBits()) - 1;
        this.refusals = new Refusals(settings);
        this.waits = new Waits(this, settings, refusals);
        this.run = new Run(settings, lease);
        lease.attach(run);
        run.start(0);
        warnIfLayoutEndsSoon();
    }

    /** A builder for this layout; a lease must be given. */
    public static SnowflakeGeneratorBuilder builder(Layout layout) {
        return new SnowflakeGeneratorBuilder(layout);
    }

    @Override
    public long nextId() {
        requireNoShardBits();
        return claim(1);
    }

    @Override
    public long nextId(long shardKey) {
        requireShardBits();
        return claim(1) | (shardKey & shardMask);
    }

    @Override
    public void nextIds(long[] dst) {
        requireNoShardBits();
        fill(dst, 0);
    }

    @Override
    public void nextIds(long[] dst, long shardKey) {
        requireShardBits();
        fill(dst, shardKey & shardMask);
    }

    private long claim(int n) {
        long id = run.claim(n);
        return id >= 0 ? id : waits.claim(n);
    }

    private void fill(long[] dst, long shard) {
        int filled = 0;
        while (filled < dst.length) {
            int wanted = dst.length - filled;
            long id = claim(wanted) | shard;
            long leftInTick = sequenceMask - (id >>> shardBits & sequenceMask) + 1;
            for (int end = filled + (int) Math.min(wanted, leftInTick); filled < end; filled++) {
                dst[filled] = id;
                id += shardMask + 1;
            }
        }
    }

    /**
     * Goes on with another lease: attaches to it, ends the old one's run, and starts above the last timestamp issued
     * (time-first layouts; worker-first ones start where the new lease allows). The old lease is not closed: its owner
     * does that. When this throws, nothing has changed, and {@code next} is still the caller's to close.
     *
     * @throws LeaseInUseException if {@code next} serves or served another generator
     * @throws LeaseLostException if {@code next} is lost or closed already
     * @throws GeneratorClosedException if this generator is closed
     * @throws IllegalArgumentException if the worker id does not fit the layout
     */
    public void switchTo(WorkerLease next) {
        synchronized (switching) {
            Run old = run;
            if (closed) {
                throw refusals.closed(old);
            }
            SnowflakeGeneratorBuilder.requireWorkerId(layout, next.workerId());
            Run started = new Run(settings, next);
            next.attach(started);
            old.stop("worker " + next.workerId() + " (epoch " + next.epoch() + ") took over");
            long lastTick = Math.max(earlierLastTick, old.lastIssuedTick());
            earlierLastTick = lastTick;
            started.start(layout.workerFirst() ? 0 : lastTick + 1);
            run = started;
        }
        warnIfLayoutEndsSoon();
    }

    @Override
    public void close() {
        Run last;
        synchronized (switching) {
            closed = true;
            last = run;
            last.stop("the generator was closed");
        }
        last.lease().close();
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public int workerId() {
        return run.workerId();
    }

    /**
     * Last timestamp issued under any of the leases, in ms since 1970 on the tick grid; when nothing was issued yet,
     * the current lease's {@code notBeforeMillis - tick}. May be out of date at once unless the generator is closed.
     */
    public long lastTimestampMillis() {
        Run current = run;
        long lastTick = Math.max(earlierLastTick, current.lastIssuedTick());
        return lastTick < 0 ? current.lastTimestampMillis() : layout.millisOf(lastTick);
    }

    /** How many calls have been refused for this reason. */
    public long refusals(RefusalReason reason) {
        return refusals.count(Objects.requireNonNull(reason, "reason"));
    }

    Run run() {
        return run;
    }

    boolean isClosed() {
        return closed;
    }

    private void requireNoShardBits() {
        if (shardBits != 0) {
            throw new IllegalStateException("a shard key must be given for layout " + layout + ", which has "
                    + shardBits + " shard bits: call nextId(shardKey) or nextIds(dst, shardKey)");
        }
    }

    private void requireShardBits() {
        if (shardBits == 0) {
            throw new IllegalStateException("a shard key must not be given for layout " + layout
                    + ", which has no shard bits: call nextId() or nextIds(dst)");
        }
    }

    private void warnIfLayoutEndsSoon() {
        String warning = endWarning(layout, settings.clocks().wallMillis());
        if (warning != null) {
            LOG.log(Level.WARNING, warning);
        }
    }

    static @Nullable String endWarning(Layout layout, long nowMillis) {
        long leftMillis = layout.millisOf(layout.maxTick()) - nowMillis;
        if (leftMillis >= LAYOUT_END_WARNING.toMillis()) {
            return null;
        }
        return "layout " + layout + " must not run out: its last instant, " + layout.lastInstant() + ", is "
                + Duration.ofMillis(leftMillis).toDays()
                + " days away; move to a layout with a later epoch or more timestamp bits";
    }
}
