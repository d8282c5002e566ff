package io.snowlease.registry;

/** How it stands with a lease that this process uses. */
public enum LeaseState {
    /** Held, and renewed in time. */
    HELD,
    /** Held, but the last renewal failed; ids come until the bound. */
    DEGRADED,
    /** The bound has passed without a renewal; calls are refused until one succeeds. */
    EXPIRED,
    /** Lost to expiry, eviction or another holder; calls are refused until another worker id is leased. */
    LOST,
    /** Closed, and given back where the coordinator could be reached. */
    CLOSED
}
