package io.snowlease.registry;

/** How a worker id stands in the registry, derived from its record and the coordinator's time. */
public enum SlotStatus {
    /** Leased and renewed in time. */
    HELD,
    /** Leased, but its holder has missed a renewal. */
    DEGRADED,
    /** Its bound has passed, but not yet by the tolerated skew: its holder refuses, nobody can take it. */
    EXPIRING,
    /** Its holder vanished and the bound has passed: can be taken. */
    FREE,
    /** Given back by its holder: can be taken. */
    RELEASED,
    /** Taken from its holder by an operator; free once the bound has passed. */
    EVICTED
}
