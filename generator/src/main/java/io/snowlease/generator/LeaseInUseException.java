package io.snowlease.generator;

/** A second generator was asked to use a lease; a lease serves one generator, ever. */
public final class LeaseInUseException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    /** For the lease of this worker id and epoch. */
    public LeaseInUseException(int workerId, long epoch) {
        super(
                RefusalReason.LEASE_IN_USE,
                "lease of worker " + workerId + " (epoch " + epoch + ") has served a generator already: a lease serves"
                        + " one generator, ever; share that generator, or take a new lease",
                -1);
    }
}
