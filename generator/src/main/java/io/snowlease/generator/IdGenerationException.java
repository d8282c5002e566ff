package io.snowlease.generator;

/**
 * No id could be issued. Nothing is lost by it: the next call starts afresh. The message says what is wrong, by how
 * much, and what to do.
 */
public abstract class IdGenerationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long retryAfterMillis;

    IdGenerationException(String message, long retryAfterMillis) {
        super(message);
        this.retryAfterMillis = retryAfterMillis;
    }

    /** Estimate of the ms until a call can succeed; {@code -1} where waiting does not help or can't be estimated. */
    public long retryAfterMillis() {
        return retryAfterMillis;
    }
}
