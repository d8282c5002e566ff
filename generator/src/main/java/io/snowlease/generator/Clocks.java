package io.snowlease.generator;

import java.util.concurrent.locks.LockSupport;

/**
 * The two clocks everything here is told the time by, and the wait that belongs to them. Injected, so that tests can
 * move time; this is the only file that reads the machine's clocks. Thread-safe.
 */
public interface Clocks {
    /** Wall clock in ms since 1970 UTC; may jump either way. */
    long wallMillis();

    /** Monotonic clock in ns from an arbitrary origin; for durations and deadlines only. */
    long monotonicNanos();

    /** Waits about this long, or less; returns early when interrupted, leaving the interrupt flag set. */
    void parkNanos(long nanos);

    /** The machine's clocks. */
    static Clocks system() {
        return SystemClocks.INSTANCE;
    }

    /** {@link System#currentTimeMillis()}, {@link System#nanoTime()}, {@link LockSupport#parkNanos(long)}. */
    enum SystemClocks implements Clocks {
        /** The only instance. */
        INSTANCE;

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicNanos() {
            return System.nanoTime();
        }

        @Override
        public void parkNanos(long nanos) {
            LockSupport.parkNanos(nanos);
        }
    }
}
