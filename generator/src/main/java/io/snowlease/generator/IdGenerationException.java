package io.snowlease.generator;

/**
 * No id could be issued. Nothing is lost by it: the next call starts afresh. The message says what is wrong, by how
 * much, and what to do.
 */
public abstract class IdGenerationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final RefusalReason reason;
    private final long retryAfterMillis;

    IdGenerationException(RefusalReason reason, String message, long retryAfterMillis) {
        super(message);
        this.reason = reason;
        this.retryAfterMillis = retryAfterMillis;
    }

    /** Why, for counters and for callers that don't want to tell exception classes apart. */
    public RefusalReason reason() {
        return reason;
    }

    /** Estimate of the ms until a call can succeed; {@code -1} where waiting does not help or can't be estimated. */
    public long retryAfterMillis() {
        return retryAfterMillis;
    }
}
