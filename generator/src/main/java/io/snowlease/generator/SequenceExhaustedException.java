package io.snowlease.generator;

/** The ids of a tick are used up, and the next tick did not come within {@code maxWait}. */
public final class SequenceExhaustedException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    SequenceExhaustedException(String message, long retryAfterMillis) {
        super(RefusalReason.SEQUENCE_EXHAUSTED, message, retryAfterMillis);
    }
}
