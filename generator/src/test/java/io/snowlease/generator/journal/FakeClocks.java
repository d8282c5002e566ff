package io.snowlease.generator.journal;

import io.snowlease.generator.Clocks;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that only the test and {@link #parkNanos} move. Thread-safe. */
final class FakeClocks implements Clocks {
    /** 2026-01-01T00:00:00Z. */
    static final long START_MILLIS = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong offsetMillis = new AtomicLong(START_MILLIS);
    private volatile Runnable whenParked = () -> {};

    @Override
    public long wallMillis() {
        return offsetMillis.get() + TimeUnit.NANOSECONDS.toMillis(nanos.get());
    }

    @Override
    public long monotonicNanos() {
        return nanos.get();
    }

    @Override
    public void parkNanos(long parked) {
        nanos.addAndGet(parked);
        whenParked.run();
    }

    void pass(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    void stepWall(long millis) {
        offsetMillis.addAndGet(millis);
    }

    void whenParked(Runnable action) {
        whenParked = action;
    }
}
