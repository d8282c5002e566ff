package io.snowlease.generator;

/** The lease in use was lost, evicted or closed, and no other has taken its place yet. */
public final class LeaseLostException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    /** For the lease of this worker id and epoch; {@code reason} says what happened to it. */
    public LeaseLostException(int workerId, long epoch, String reason) {
        super(
                RefusalReason.LEASE_LOST,
                "no lease: worker " + workerId + " (epoch " + epoch + ") stopped: " + reason,
                -1);
    }
}
