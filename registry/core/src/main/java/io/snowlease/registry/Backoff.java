package io.snowlease.registry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waits between retries: doubling from 100 ms up to a cap, each jittered down by up to half. Not thread-safe. */
final class Backoff {
    private static final long FIRST_MILLIS = 100;

    private final RandomGenerator random;
    private final long capMillis;
    private long nextMillis = FIRST_MILLIS;

    Backoff(RandomGenerator random, Duration cap) {
        this.random = random;
        this.capMillis = Math.max(1, cap.toMillis());
    }

    Duration next() {
        long millis = Math.min(nextMillis, capMillis);
        nextMillis = Math.min(nextMillis * 2, capMillis);
        return Duration.ofNanos((long) (millis * 1_000_000 * (1 - random.nextDouble() / 2)));
    }

    void reset() {
        nextMillis = FIRST_MILLIS;
    }
}
