package io.snowlease.registry.protocol;

/** Outcome of planning to go on with a lease that a journal proves. */
public sealed interface ResumeDecision {
    /**
     * The lease goes on as {@code next}, written over the record that was planned on.
     *
     * @param next the record to write
     */
    record Grant(SlotRecord next) implements ResumeDecision {}

    /**
     * The journal proves nothing any more: claim anew.
     *
     * @param reason why, for people
     */
    record NoProof(String reason) implements ResumeDecision {}

    /**
     * The store has lost writes it acknowledged: a quarantine must be set, then claim anew.
     *
     * @param reason what is missing, for people
     */
    record Forgotten(String reason) implements ResumeDecision {}
}
