package io.snowlease.generator;

/** The lease does not reach as far as the timestamp needed: it was not renewed in time. Resumes by itself. */
public final class BoundReachedException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    BoundReachedException(String message, long retryAfterMillis) {
        super(RefusalReason.BOUND_REACHED, message, retryAfterMillis);
    }
}
