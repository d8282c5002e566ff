package io.snowlease.generator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Builds a {@link Layout} and checks its ranges. Timestamp, worker and sequence have at least 1 bit, worker, sequence
 * and shard at most 31, all together at most 63; the last instant must be within 2^63 ms of 1970. Not thread-safe.
 */
public final class LayoutBuilder {
    private static final int MAX_PART_BITS = 31;
    private static final int MAX_ID_BITS = 63;

    int timestampBits;
    int workerBits;
    int sequenceBits;
    int shardBits;
    long tickMillis = 1;
    long epochMillis = Layout.DEFAULT_EPOCH_MILLIS;
    boolean workerFirst;

    LayoutBuilder() {}

    /** Bits of the timestamp, the worker id and the sequence. */
    public LayoutBuilder bits(int timestampBits, int workerBits, int sequenceBits) {
        this.timestampBits = timestampBits;
        this.workerBits = workerBits;
        this.sequenceBits = sequenceBits;
        return this;
    }

    /** Bits of the shard key at the low end; default 0. */
    public LayoutBuilder shardBits(int shardBits) {
        this.shardBits = shardBits;
        return this;
    }

    /** Length of a tick, in whole ms; default 1 ms. */
    public LayoutBuilder tick(Duration tick) {
        if (!tick.equals(tick.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException("tick must be whole milliseconds: tick=" + tick);
        }
        return tickMillis(tick.toMillis());
    }

    /** Length of a tick in ms; default 1. */
    public LayoutBuilder tickMillis(long tickMillis) {
        this.tickMillis = tickMillis;
        return this;
    }

    /** Start of tick 0, in whole ms, not before 1970; default 2025-01-01T00:00:00Z. */
    public LayoutBuilder epoch(Instant epoch) {
        if (!epoch.equals(epoch.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException("epoch must be whole milliseconds: epoch=" + epoch);
        }
        return epochMillis(epoch.toEpochMilli());
    }

    /** Start of tick 0 in ms since 1970 UTC. */
    public LayoutBuilder epochMillis(long epochMillis) {
        this.epochMillis = epochMillis;
        return this;
    }

    /** Whether the worker id goes above the timestamp; default false. */
    public LayoutBuilder workerFirst(boolean workerFirst) {
        this.workerFirst = workerFirst;
        return this;
    }

    /**
     * The layout.
     *
     * @throws IllegalArgumentException if a range is not kept; the message names the rule and the value
     */
    public Layout build() {
        requireRange("timestampBits", timestampBits, 1, MAX_ID_BITS - 2);
        requireRange("workerBits", workerBits, 1, MAX_PART_BITS);
        requireRange("sequenceBits", sequenceBits, 1, MAX_PART_BITS);
        requireRange("shardBits", shardBits, 0, MAX_PART_BITS);
        int idBits = timestampBits + workerBits + sequenceBits + shardBits;
        if (idBits > MAX_ID_BITS) {
            throw new IllegalArgumentException("timestamp, worker, sequence and shard bits must add up to at most "
                    + MAX_ID_BITS + ": " + timestampBits + " + " + workerBits + " + " + sequenceBits + " + "
                    + shardBits + " = " + idBits);
        }
        if (tickMillis < 1) {
            throw new IllegalArgumentException("tick must be at least 1 ms: tickMillis=" + tickMillis);
        }
        if (epochMillis < 0) {
            throw new IllegalArgumentException(
                    "epoch must not be before 1970: epoch=" + Instant.ofEpochMilli(epochMillis));
        }
        if (tickMillis > (Long.MAX_VALUE - epochMillis) >> timestampBits) {
            throw new IllegalArgumentException("the last instant must be within 2^63 ms of 1970: timestampBits="
                    + timestampBits + ", tickMillis=" + tickMillis + ", epochMillis=" + epochMillis);
        }
        return new Layout(this);
    }

    private static void requireRange(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be " + min + " to " + max + ": " + name + "=" + value);
        }
    }
}
