package io.snowlease.generator;

/** The sequence number that the first id of a tick gets. */
public enum SequenceStart {
    /** Always 0. Ids at low rates are then all multiples of a large power of two. The default. */
    ZERO,
    /**
     * A number that differs from tick to tick and from process to process, in the lowest 1/16 of the sequence space (at
     * least 4 numbers, at most half of the space). Spreads ids at low rates evenly over every {@code id mod 2^n} up to
     * that share; costs at most that share of the ids per tick, 1/32 on average.
     */
    RANDOM;

    /** Low bits of the sequence that the start may use. */
    int startBits(int sequenceBits) {
        return this == ZERO ? 0 : Math.max(sequenceBits - 4, Math.min(2, sequenceBits - 1));
    }
}
