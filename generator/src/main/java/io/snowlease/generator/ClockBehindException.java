package io.snowlease.generator;

/** The clock is behind the last timestamp issued, or behind the first one that the lease allows. */
public final class ClockBehindException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    private final long behindMillis;

    ClockBehindException(String message, long behindMillis, long retryAfterMillis) {
        super(RefusalReason.CLOCK_BEHIND, message, retryAfterMillis);
        this.behindMillis = behindMillis;
    }

    /** How far behind the clock is, in ms. */
    public long behindMillis() {
        return behindMillis;
    }
}
