package io.snowlease.registry.protocol;

/** State of a worker id's slot as stored; "degraded", "expiring" and "free" are derived from bounds and the time. */
public enum SlotState {
    /** Leased; can be renewed by the holder of the token. */
    HELD,
    /** Given back; free at once. */
    RELEASED,
    /** Taken from its holder by an operator: can't be renewed, and is free once the bound has passed. */
    EVICTED
}
