package io.snowlease.registry;

import io.snowlease.generator.SnowflakeGenerator;
import io.snowlease.generator.WorkerLease;

/** What the keeper needs of a generator: its past, and that it moves on to another lease. */
interface Issuer {
    /** See {@link SnowflakeGenerator#lastTimestampMillis()}. */
    long lastTimestampMillis();

    /** See {@link SnowflakeGenerator#switchTo}. */
    void switchTo(WorkerLease next);

    /** A generator as an issuer. */
    static Issuer of(SnowflakeGenerator generator) {
        return new Issuer() {
            @Override
            public long lastTimestampMillis() {
                return generator.lastTimestampMillis();
            }

            @Override
            public void switchTo(WorkerLease next) {
                generator.switchTo(next);
            }
        };
    }
}
