package io.snowlease.generator;

import org.jspecify.annotations.Nullable;

/**
 * A span of timestamps of one worker id that nobody else may use: {@code [notBeforeMillis, untilMillis)}.
 *
 * <p>Milliseconds are since 1970 UTC and lie on the layout's tick grid. Implementations are thread-safe; {@link
 * #untilMillis()} is read on the id path and must not block.
 */
public interface WorkerLease extends AutoCloseable {
    /** The worker id, {@code 0 .. 2^workerBits - 1}; fixed for the life of the lease. */
    int workerId();

    /** First timestamp this lease may issue, inclusive; fixed for the life of the lease. */
    long notBeforeMillis();

    /**
     * First timestamp this lease may <em>not</em> issue. Moves ahead as the lease is renewed, never back, and is
     * durable at the coordinator before it is returned here (I3).
     */
    long untilMillis();

    /**
     * Why the bound stands where it does, if something nearer than the coordinator holds it back (a journal); null
     * where only a renewal can move it. For refusals; may be out of date at once.
     */
    default @Nullable BoundDelay delay() {
        return null;
    }

    /** What a refusal adds when the clock is before {@link #notBeforeMillis}, if there is more to do about it; or "". */
    default String notBeforeHint() {
        return "";
    }

    /** Fencing epoch of the lease; grows with every claim of the worker id. */
    long epoch();

    /**
     * Binds the one user this lease will ever have. A lease serves no second one, not even after the first was
     * closed: the second could not know which timestamps are used up.
     *
     * @throws LeaseInUseException if a user was attached before
     * @throws LeaseLostException if the lease is lost or closed already
     */
    void attach(LeaseUser user);

    /**
     * Stops the attached user first, then gives the worker id back. Idempotent. Does not throw: a lease that could
     * not be given back expires by itself.
     */
    @Override
    void close();

    /**
     * Stops the attached user, and lets the lease expire without giving the worker id back: for those who can't make sure
     * that nothing more will be issued from it. Idempotent. Does nothing where leases don't expire.
     *
     * @param reason why, for people
     */
    default void abandon(String reason) {}
}
