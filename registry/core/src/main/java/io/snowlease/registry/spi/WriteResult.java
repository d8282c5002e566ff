package io.snowlease.registry.spi;

/** What a compare-and-set came to. */
public enum WriteResult {
    /** The record is stored and durable as far as the store can make it. */
    WRITTEN,
    /** The slot no longer holds the record that was planned on; nothing changed. */
    SLOT_CHANGED,
    /** The registry record or the server's identity is no longer what was planned on; nothing changed. */
    REGISTRY_CHANGED,
    /** The coordinator's time had reached the plan's time limit; nothing changed. */
    TOO_LATE
}
