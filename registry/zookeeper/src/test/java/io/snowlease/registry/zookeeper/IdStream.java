package io.snowlease.registry.zookeeper;

import static org.awaitility.Awaitility.await;

import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.IdGenerator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A service that needs an id every few ms, whatever happens: what it got, and what it was refused. */
final class IdStream implements AutoCloseable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final IdGenerator generator;
    private final Thread thread = new Thread(this::run, "id-stream");
    private final List<Long> ids = new CopyOnWriteArrayList<>();
    private volatile @Nullable IdGenerationException refusal;
    private volatile int refusals;
    private volatile long longestNanos;
    private volatile boolean closed;

    IdStream(IdGenerator generator) {
        this.generator = generator;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        int refused = 0;
        while (!closed) {
            long begin = System.nanoTime();
            try {
                ids.add(generator.nextId());
            } catch (IdGenerationException e) {
                refusal = e;
                refusals = ++refused;
            }
            longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** All so far, in the order issued. */
    List<Long> ids() {
        return List.copyOf(ids);
    }

    /** Waits for one that is refused from now on. */
    IdGenerationException awaitRefusal() {
        int before = refusals;
        await().until(() -> refusals > before);
        return Objects.requireNonNull(refusal);
    }

    /** Waits for an id that is issued from now on. */
    long awaitId() {
        int before = ids.size();
        await().until(() -> ids.size() > before);
        return ids.get(before);
    }

    int refusals() {
        return refusals;
    }

    /** The longest that a call took. */
    long longestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(longestNanos);
    }

    @Override
    public void close() {
        closed = true;
    }
}
