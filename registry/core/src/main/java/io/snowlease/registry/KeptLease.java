package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.WorkerLease;
import io.snowlease.generator.journal.JournalException;
import io.snowlease.registry.RegistryClient.Renewal;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One generator and the leases it goes through: renews the present one, stops the generator when it is lost, and lets
 * it go on with another.
 *
 * <p>{@link #step} and {@link #release} run under the keeper's lock; {@link #status} is safe anywhere.
 */
final class KeptLease {
    private static final Logger LOG = LoggerFactory.getLogger(KeptLease.class);
    private static final long MAX_WAKE_MILLIS = 60_000;
    private static final Duration JOURNAL_LOOK = Duration.ofMillis(500);

    private final LeaseKeeper keeper;
    private final RegistryClient client;
    private final LeaseStart start;
    private final LeaseJournal journal;
    private final Clocks clocks;
    private final LeaseListener listener;
    private final Backoff backoff;

    private volatile @Nullable Issuer issuer;
    private boolean claimsAnew;
    private boolean helped;
    private boolean closed;
    private volatile boolean closing;
    private volatile HeldLease lease;
    private final WorkerLease first;
    private volatile LeaseState state = LeaseState.HELD;
    private volatile String reason = "";
    private @Nullable LeaseStatus told;

    /**
     * A lease just granted.
     *
     * @throws JournalException if the journal can't be written: the lease must not be used, it expires
     */
    KeptLease(
            LeaseKeeper keeper,
            RegistryClient client,
            LeaseStart start,
            Clocks clocks,
            LeaseListener listener,
            HeldBound granted,
            Backoff backoff) {
        this.keeper = keeper;
        this.client = client;
        this.start = start;
        this.journal = start.journal();
        this.clocks = clocks;
        this.listener = listener;
        this.backoff = backoff;
        this.lease = newLease(granted);
        this.first = vouchFor(lease);
    }

    /** The first lease, as its generator is to use it. */
    WorkerLease first() {
        return first;
    }

    HeldLease lease() {
        return lease;
    }

    /** The generator that uses the lease, and moves on to the next one when it is lost. */
    void use(Issuer attached) {
        issuer = attached;
    }

    /** Ends issuing for good, now and under whatever lease a step in flight may still get (I6). Needs no lock. */
    void stop(String why) {
        closing = true;
        lease.end(why);
    }

    /** One exchange with the coordinator; returns how long to wait until the next. */
    Duration step() {
        if (closing) {
            return Duration.ofDays(1);
        }
        Duration next;
        try {
            if (claimsAnew || state == LeaseState.LOST || journal.standsStill()) {
                claim();
            } else {
                renew();
            }
            backoff.reset();
            next = claimsAnew || state == LeaseState.LOST ? Duration.ZERO : keeper.renewalInterval();
        } catch (StoreUnavailableException
                | MalformedRecordException
                | RegistryException
                | JournalException
                | IdGenerationException e) {
            failed(e.getMessage() == null ? e.toString() : e.getMessage());
            next = backoff.next();
        } catch (RuntimeException e) {
            // A fault of ours: the other leases of this keeper are renewed all the same.
            LOG.error("exchange for worker {} failed", lease.workerId(), e);
            failed(e.toString());
            next = backoff.next();
        }
        tell();
        return next;
    }

    private void renew() {
        HeldLease present = lease;
        Renewal renewal = client.renew(present.bound(), present.lastMillis(), keeper.bounds());
        if (renewal instanceof Renewal.Extended extended) {
            present.extend(extended.held());
            journal.renewed();
            keeper.counts().renewals.increment();
            state = LeaseState.HELD;
            reason = "";
            if (extended.isFirst()) {
                client.warnIfNearlyFull();
            }
        } else if (renewal instanceof Renewal.Fenced fenced) {
            keeper.counts().fenced.increment();
            present.end(fenced.reason() + "; another worker id is being leased, ids come back by themselves");
            state = LeaseState.LOST;
            reason = fenced.reason();
            // Nor may a process that comes after this one go on with it. If it can't be written, the claim comes later.
            journal.discardProof(fenced.reason());
        } else if (renewal instanceof Renewal.Forgotten forgotten) {
            keeper.counts().forgotten.increment();
            claimsAnew = true;
            state = LeaseState.DEGRADED;
            reason = forgotten.reason() + "; ids go on to the bound known before, another worker id is being leased";
        }
    }

    /** The old lease, if it still stands, is used up to the moment of the switch, and never after. */
    private void claim() {
        Issuer moved = issuer;
        if (moved == null) {
            throw new IllegalStateException("no generator attached to worker " + lease.workerId());
        }
        HeldBound granted = start.resumeOrClaim(keeper.floorAfter(moved), keeper.bounds());
        HeldLease next = newLease(granted);
        WorkerLease vouched = vouchFor(next);
        lease.end("replaced by worker " + granted.worker() + " (epoch " + granted.epoch() + ")");
        lease = next;
        if (closing) {
            // Whoever stopped this may have ended the old lease alone.
            next.end("closed");
        }
        try {
            moved.switchTo(vouched);
        } catch (IdGenerationException e) {
            // Closed meanwhile, or the layout is used up: nobody will use the new lease.
            next.end(String.valueOf(e.getMessage()));
            boolean unusedAnswered = giveBack(next, false);
            state = LeaseState.LOST;
            throw e;
        }
        keeper.counts().claims.increment();
        claimsAnew = false;
        state = LeaseState.HELD;
        reason = "";
    }

    private void failed(String why) {
        keeper.counts().failedRenewals.increment();
        reason = why;
        if (state != LeaseState.LOST) {
            state = LeaseState.DEGRADED;
        }
    }

    /**
     * Gives the worker id back; {@link #stop} comes before.
     *
     * @return whether the coordinator can still be asked
     */
    boolean release() {
        if (closed) {
            return true;
        }
        closed = true;
        boolean answered = giveBack(lease, state == LeaseState.LOST);
        tell();
        return answered;
    }

    /** Closed without asking the coordinator: it expires there. */
    void abandon(String why) {
        reason = why;
        journal.abandoned(lease);
        notGivenBack(lease);
        tell();
    }

    /** One that is lost has nothing to give back, but what the journal holds of it. */
    private boolean giveBack(HeldLease ended, boolean lost) {
        boolean answered = true;
        try {
            journal.markClosed(ended, "closed");
            if (lost) {
                return true;
            }
            if (client.release(ended.bound(), ended.lastMillis(), keeper.bounds())) {
                return true;
            }
            reason = "it was no longer held";
        } catch (StoreUnavailableException e) {
            answered = false;
            reason = String.valueOf(e.getMessage());
        } catch (MalformedRecordException | RegistryException | JournalException e) {
            reason = String.valueOf(e.getMessage());
        }
        notGivenBack(ended);
        return answered;
    }

    private void notGivenBack(HeldLease ended) {
        LOG.warn(
                "worker {} (epoch {}) of {} was not given back, it is free once its bound has passed: {}",
                ended.workerId(),
                ended.epoch(),
                client.servers(),
                reason);
    }

    /** As it stands at this moment; a bound that has passed shows at once. */
    LeaseStatus status() {
        HeldLease present = lease;
        String unwritable = journal.failure();
        LeaseState shown = closing ? LeaseState.CLOSED : state;
        String why = reason;
        if (shown == LeaseState.HELD && unwritable != null) {
            shown = LeaseState.DEGRADED;
            why = unwritable;
        }
        if ((shown == LeaseState.HELD || shown == LeaseState.DEGRADED)
                && clocks.wallMillis() >= present.untilMillis()) {
            shown = LeaseState.EXPIRED;
        }
        return new LeaseStatus(
                present.workerId(),
                present.epoch(),
                shown,
                why,
                present.notBeforeMillis(),
                present.untilMillis(),
                client.skewMillis());
    }

    /** Whether it can't wait for the next renewal: ids stop soon, as the journal could not be written. */
    boolean needsHelp() {
        boolean standsStill = !closing && journal.standsStill();
        boolean first = standsStill && !helped;
        helped = standsStill;
        return first;
    }

    /** How long until the bound passes if it isn't moved, or the journal is to be looked at, so that both show in time. */
    long nanosToLook() {
        long toBound = nanosToBound();
        return journal == LeaseJournal.NONE ? toBound : Math.min(toBound, JOURNAL_LOOK.toNanos());
    }

    /** How long until the bound passes if it isn't moved; very long if it has. */
    long nanosToBound() {
        long millis = lease.untilMillis() - clocks.wallMillis();
        return millis <= 0
                ? Long.MAX_VALUE
                : Duration.ofMillis(Math.min(millis, MAX_WAKE_MILLIS)).toNanos();
    }

    /** Tells the listener when state or worker id have changed. */
    synchronized void tell() {
        LeaseStatus now = status();
        LeaseStatus before = told;
        if (before != null
                && before.state() == now.state()
                && before.epoch() == now.epoch()
                && before.worker() == now.worker()) {
            return;
        }
        told = now;
        if (now.state() == LeaseState.HELD || now.state() == LeaseState.CLOSED) {
            LOG.info("worker {} (epoch {}) is {}", now.worker(), now.epoch(), now.state());
        } else {
            LOG.warn("worker {} (epoch {}) is {}: {}", now.worker(), now.epoch(), now.state(), now.reason());
        }
        try {
            listener.leaseChanged(now);
        } catch (Throwable e) {
            // Whatever it is, it is the listener's: the leases are kept all the same.
            LOG.warn("lease listener failed on {}", now, e);
        }
    }

    private WorkerLease vouchFor(HeldLease granted) {
        try {
            return journal.vouchFor(granted, keeper.layout());
        } catch (JournalException | IllegalArgumentException e) {
            // What of it is on disk is unknown: given back, it could still be gone on with from there.
            granted.end(String.valueOf(e.getMessage()));
            reason = String.valueOf(e.getMessage());
            notGivenBack(granted);
            throw e;
        }
    }

    private HeldLease newLease(HeldBound granted) {
        return new HeldLease(
                granted, keeper.tickMillis(), closing -> keeper.release(this), why -> keeper.abandon(this, why));
    }
}
