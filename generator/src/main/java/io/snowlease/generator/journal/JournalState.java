package io.snowlease.generator.journal;

/** What a {@link Journal} is doing. */
public enum JournalState {
    /** Open; no lease is recorded, or the one that was is closed. */
    NO_LEASE,
    /** A lease is recorded, and its reserved bound moves ahead as ids are issued. */
    RESERVING,
    /** A resume of the recorded lease is under way: its bound stands still until another lease is recorded. */
    RESUMING,
    /** A write failed: the bound stands still until another lease is recorded. {@link Journal#failure} says why. */
    FAILED,
    /** The journal is closed, and another process may have opened it. */
    CLOSED
}
