package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that a test moves; waiting moves them too. */
final class ManualClocks implements Clocks {
    static final long START_MILLIS = Instant.parse("2026-06-01T12:00:00Z").toEpochMilli();

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong wallOffsetMillis = new AtomicLong(START_MILLIS);

    @Override
    public long wallMillis() {
        return wallOffsetMillis.get() + nanos.get() / 1_000_000;
    }

    @Override
    public long monotonicNanos() {
        return nanos.get();
    }

    @Override
    public void parkNanos(long wait) {
        nanos.addAndGet(wait);
    }

    void advanceMillis(long millis) {
        nanos.addAndGet(millis * 1_000_000);
    }

    /** Sets the wall clock ahead or back; the monotonic one runs on. */
    void stepWall(long millis) {
        wallOffsetMillis.addAndGet(millis);
    }
}
