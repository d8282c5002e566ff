package io.snowlease.generator;

import java.time.Instant;

/**
 * The parts of an id.
 *
 * @param id the id itself
 * @param timestampMillis start of the tick it was issued for, in ms since 1970 UTC
 * @param worker the worker id
 * @param sequence its number within the tick
 * @param shard low bits of the shard key; 0 in layouts without
 */
public record DecodedId(long id, long timestampMillis, int worker, int sequence, int shard) {
    /** {@link #timestampMillis()} as an instant. */
    public Instant timestamp() {
        return Instant.ofEpochMilli(timestampMillis);
    }
}
