package io.snowlease.generator;

/** What a lease needs from the generator that uses it. Thread-safe. */
public interface LeaseUser {
    /**
     * Last timestamp issued under the lease, in ms since 1970 on the tick grid, or {@code notBeforeMillis - tick} when
     * none was. May be out of date at once unless {@link #stop} was called before.
     */
    long lastTimestampMillis();

    /**
     * As {@link #lastTimestampMillis}, but of a user that starts later than its lease allows (I7) the tick before its
     * start: whatever the clock, the next timestamp is above this or equal to it.
     */
    default long positionMillis() {
        return lastTimestampMillis();
    }

    /**
     * Ends issuing under the lease for good, before it returns and whatever threads are in flight: none of them can
     * complete an id afterwards (I6). Idempotent; the first reason counts.
     *
     * @param reason what callers are told until a new lease takes over
     * @return the last timestamp issued under the lease, exact, as {@link #lastTimestampMillis()}
     */
    long stop(String reason);
}
