package io.snowlease.generator;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that only {@link #parkNanos} and the test move. Thread-safe. */
final class VirtualClocks implements Clocks {
    /** Where every test starts: 2026-01-01T00:00:00Z. */
    static final long START_MILLIS = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong wallOffsetMillis = new AtomicLong(START_MILLIS);
    private final AtomicLong monotonicReads = new AtomicLong();
    private volatile Runnable whenParked = () -> {};
    private volatile Runnable whenWallIsRead = () -> {};
    private volatile Runnable whenMonotonicIsRead = () -> {};

    @Override
    public long wallMillis() {
        whenWallIsRead.run();
        return wallOffsetMillis.get() + nanos.get() / NANOS_PER_MILLI;
    }

    @Override
    public long monotonicNanos() {
        monotonicReads.incrementAndGet();
        whenMonotonicIsRead.run();
        return nanos.get();
    }

    @Override
    public void parkNanos(long parkedNanos) {
        if (!Thread.currentThread().isInterrupted()) {
            nanos.addAndGet(parkedNanos);
        }
        whenParked.run();
    }

    /** Time passes, on both clocks. */
    void pass(long millis) {
        nanos.addAndGet(millis * NANOS_PER_MILLI);
    }

    /** The wall clock jumps; the monotonic one knows nothing of it. */
    void stepWall(long millis) {
        wallOffsetMillis.addAndGet(millis);
    }

    void whenParked(Runnable action) {
        whenParked = action;
    }

    void whenWallIsRead(Runnable action) {
        whenWallIsRead = action;
    }

    void whenMonotonicIsRead(Runnable action) {
        whenMonotonicIsRead = action;
    }

    /** How often a deadline was looked at: not at all where no claim was refused. */
    long monotonicReads() {
        return monotonicReads.get();
    }

    long waitedMillis() {
        return nanos.get() / NANOS_PER_MILLI;
    }
}
