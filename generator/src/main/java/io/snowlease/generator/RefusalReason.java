package io.snowlease.generator;

/** Why no id could be issued. */
public enum RefusalReason {
    /** The clock is behind the last timestamp, or before the first one that the lease allows. */
    CLOCK_BEHIND,
    /** The ids of the tick were used up, and the next tick did not come in time. */
    SEQUENCE_EXHAUSTED,
    /** The timestamp is at or past the lease's bound: the lease was not renewed in time. */
    BOUND_REACHED,
    /** The timestamp needs more bits than the layout has. */
    LAYOUT_EXHAUSTED,
    /** The calling thread was interrupted while it waited. */
    INTERRUPTED,
    /** The lease was lost, evicted or closed, and no other has taken its place yet. */
    LEASE_LOST,
    /** The lease has served another generator. */
    LEASE_IN_USE,
    /** The generator was closed. */
    CLOSED
}
