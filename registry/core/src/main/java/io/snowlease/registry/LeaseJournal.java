package io.snowlease.registry;

import io.snowlease.generator.Layout;
import io.snowlease.generator.WorkerLease;
import io.snowlease.generator.journal.JournalException;
import io.snowlease.registry.protocol.HeldBound;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a journal does for the one lease that a registry's generator goes by. {@link #NONE} stands for no journal: it
 * proves nothing and vouches for everything.
 *
 * <p>Called under the keeper's lock, but for {@link #floorMillis}, {@link #failure} and {@link #close}, which are safe
 * anywhere.
 */
interface LeaseJournal extends AutoCloseable {
    /** No journal. */
    LeaseJournal NONE = new LeaseJournal() {};

    /**
     * A lease that may be gone on with.
     *
     * @param held what is known of it; its floor is what the journal has reserved
     * @param layout the layout it is of
     * @param resumeTokens tokens of resumes that may have been written
     */
    record Proof(HeldBound held, Layout layout, List<String> resumeTokens) {}

    /** What it proves: at a start what was found, later the lease whose bound stands still as a write failed. */
    default @Nullable Proof proof() {
        return null;
    }

    /**
     * What it proves is no proof any more, for this process and, durably, for all that come after it. The lease's
     * generator, if there is one, is stopped.
     *
     * @throws JournalException if it can't be written; {@link #ensureDiscarded} tries again
     */
    default void discardProof(String why) {}

    /**
     * Writes what {@link #discardProof} could not.
     *
     * @throws JournalException if it can't be written: nothing new may be claimed
     */
    default void ensureDiscarded() {}

    /** Whether a lease of this namespace was ever recorded here: the namespace is not new, then. */
    default boolean knowsNamespace() {
        return false;
    }

    /**
     * Makes the token of a resume durable before it is sent.
     *
     * @return what to resume, the token included
     * @throws JournalException if it can't be written: nothing may be sent
     */
    default Proof beginResume(Proof proof, String token) {
        throw new IllegalStateException("there is no journal to resume from");
    }

    /** First timestamp not used yet, as far as was known at the start; {@link Long#MIN_VALUE} if nothing was. */
    default long floorMillis() {
        return Long.MIN_VALUE;
    }

    /**
     * The lease as its generator may use it.
     *
     * @throws JournalException if it can't be written: the lease must neither be used nor given back, it expires
     */
    default WorkerLease vouchFor(HeldLease lease, Layout layout) {
        return lease;
    }

    /** Refuses a second generator. */
    default void requireUnused() {}

    /** The lease's bound has moved. */
    default void renewed() {}

    /**
     * The lease's generator is stopped, or is stopped by this, and nothing will be issued from it any more: durable
     * before it is given back.
     *
     * @throws JournalException if it can't be written: the lease must not be given back, it expires
     */
    default void markClosed(HeldLease lease, String reason) {}

    /** Whether ids stop at what is reserved, until another lease is vouched for. */
    default boolean standsStill() {
        return false;
    }

    /** The lease is left to expire, its generator is stopped: only who goes on with it may use the journal. */
    default void abandoned(HeldLease lease) {}

    /** Where it is, for messages; empty if there is none. */
    default String where() {
        return "";
    }

    /** Why it can't be written, or null. */
    default @Nullable String failure() {
        return null;
    }

    /** Lets go of the folder. */
    @Override
    default void close() {}
}
