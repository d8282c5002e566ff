package io.snowlease.generator.local;

import io.snowlease.generator.Clocks;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A wall clock that only the test moves; waits are real. Thread-safe. */
final class HandClocks implements Clocks {
    /** 2026-01-01T00:00:00Z. */
    static final long START_MILLIS = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private final AtomicLong millis = new AtomicLong(START_MILLIS);

    void pass(long passed) {
        millis.addAndGet(passed);
    }

    @Override
    public long wallMillis() {
        return millis.get();
    }

    @Override
    public long monotonicNanos() {
        return Clocks.system().monotonicNanos();
    }

    @Override
    public void parkNanos(long nanos) {
        Clocks.system().parkNanos(nanos);
    }
}
