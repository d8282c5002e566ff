package io.snowlease.registry.protocol;

/** Outcome of planning a renewal. */
public sealed interface RenewDecision {
    /**
     * The bound may be moved by writing {@code next} over the record that was planned on.
     *
     * @param next the record to write
     */
    record Extend(SlotRecord next) implements RenewDecision {}

    /**
     * The lease is over: expired, evicted or taken. Its generator must stop.
     *
     * @param reason what happened, for people
     */
    record Fenced(String reason) implements RenewDecision {}

    /**
     * The store has lost writes it acknowledged. Nobody fences this holder: it may issue on to the bound it knows, a
     * quarantine keeps others above it.
     *
     * @param reason what is missing, for people
     * @param lostWrites whether this is the sign of a loss, so that a quarantine must be set
     */
    record Forgotten(String reason, boolean lostWrites) implements RenewDecision {}
}
