package io.snowlease.registry;

/**
 * Told of every change of a lease's state or worker id, on the keeper's thread: return soon, don't block. What it
 * throws is logged and otherwise ignored.
 */
@FunctionalInterface
public interface LeaseListener {
    /** The lease now stands as {@code status} says. */
    void leaseChanged(LeaseStatus status);
}
