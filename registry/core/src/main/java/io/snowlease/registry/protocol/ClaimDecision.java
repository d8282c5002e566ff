package io.snowlease.registry.protocol;

/** Outcome of planning a claim of one slot. */
public sealed interface ClaimDecision {
    /**
     * The slot may be taken by writing {@code next} over the record that was planned on.
     *
     * @param next the record to write
     */
    record Grant(SlotRecord next) implements ClaimDecision {}

    /**
     * Somebody holds it.
     *
     * @param freeAt coordinator's time from which it is free unless it is renewed
     */
    record Held(long freeAt) implements ClaimDecision {}

    /**
     * It is free, but its first timestamp lies too far ahead to be granted now.
     *
     * @param floor that first timestamp
     * @param grantableAt coordinator's time from which it can be granted
     */
    record TooEarly(long floor, long grantableAt) implements ClaimDecision {}
}
