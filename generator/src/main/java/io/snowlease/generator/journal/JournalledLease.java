package io.snowlease.generator.journal;

import io.snowlease.generator.BoundDelay;
import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import io.snowlease.generator.LeaseInUseException;
import io.snowlease.generator.LeaseLostException;
import io.snowlease.generator.LeaseUser;
import io.snowlease.generator.WorkerLease;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lease whose bound is also the journal's: {@link #untilMillis} is the smaller of the lease's own and {@code reserved},
 * which is on disk before it is returned here. Made by {@link Journal#record}. Thread-safe; the id path never blocks.
 *
 * <p>{@code reserved} moves ahead while ids are issued. A generator that issues steadily never meets it. One that was
 * idle does, and its next id waits about as long as the disk needs for one sync: within {@code maxWait}; with a {@code
 * maxWait} of 0 that call is refused, and {@code retryAfterMillis} says when to try again.
 */
public final class JournalledLease implements WorkerLease {
    private static final Logger LOG = System.getLogger(JournalledLease.class.getName());

    private final Journal journal;
    private final WorkerLease lease;
    private final Clocks clocks;
    private final Layout layout;
    private final long tickMillis;
    private final AtomicReference<@Nullable LeaseUser> user = new AtomicReference<>();
    private volatile long reservedMillis;
    private volatile @Nullable String standsStill;
    private volatile @Nullable String ended;
    private volatile boolean asked;
    private volatile boolean saveAsked;

    /** Read and written by the journal, under its lock. */
    long positionLookedAt = Long.MIN_VALUE;

    JournalledLease(Journal journal, WorkerLease lease, Layout layout, Clocks clocks, long reservedMillis) {
        this.journal = journal;
        this.lease = lease;
        this.clocks = clocks;
        this.layout = layout;
        this.tickMillis = layout.tickMillis();
        this.reservedMillis = reservedMillis;
    }

    @Override
    public int workerId() {
        return lease.workerId();
    }

    @Override
    public long notBeforeMillis() {
        return lease.notBeforeMillis();
    }

    @Override
    public String notBeforeHint() {
        return lease.notBeforeHint();
    }

    @Override
    public long epoch() {
        return lease.epoch();
    }

    /**
     * The smaller of the lease's bound and the journal's. Asking near the latter, as a generator does that is about to
     * pass it, has the journal move it: who only wants to look, asks {@link #reservedMillis} and the lease itself.
     */
    @Override
    public long untilMillis() {
        long reserved = reservedMillis;
        long until = lease.untilMillis();
        if (reserved >= until) {
            return until;
        }
        if (!asked && standsStill == null && neededMillis(clocks.wallMillis()) + Journal.MARGIN_MILLIS > reserved) {
            asked = true;
            journal.wake();
        }
        return reserved;
    }

    /** The layout it was recorded with. */
    public Layout layout() {
        return layout;
    }

    /** First timestamp that the journal does not vouch for yet; never the lease's own bound's business. */
    public long reservedMillis() {
        return reservedMillis;
    }

    @Override
    public @Nullable BoundDelay delay() {
        if (reservedMillis >= lease.untilMillis()) {
            return lease.delay();
        }
        String why = standsStill;
        return why == null
                ? new BoundDelay(
                        "the journal has not reserved more yet; resumes by itself when the disk has synced",
                        journal.syncEstimateMillis())
                : new BoundDelay("the journal reserves no more: " + why, -1);
    }

    @Override
    public void attach(LeaseUser attaching) {
        String over = ended;
        if (over != null) {
            throw new LeaseLostException(workerId(), epoch(), over);
        }
        if (!user.compareAndSet(null, attaching)) {
            throw new LeaseInUseException(workerId(), epoch());
        }
        boolean attached = false;
        try {
            lease.attach(attaching);
            attached = true;
        } finally {
            if (!attached) {
                user.set(null);
            }
        }
        over = ended;
        if (over != null) {
            // Ended between the two looks, by a thread that may not have seen the user.
            attaching.stop(over);
            throw new LeaseLostException(workerId(), epoch(), over);
        }
    }

    /**
     * Tells the journal that the lease was renewed, so that a start without the coordinator can use the longer bound even
     * after the generator was idle. Written by the journal's thread; does not wait. Not needed for safety, and a
     * generator that issues does it along with {@code reserved}.
     */
    public void renewed() {
        saveAsked = true;
        journal.wake();
    }

    /**
     * Stops the user, and has the journal say that this lease is given up: durable, file and folder, before it returns.
     * Must come before the worker id is given back to the coordinator. Idempotent; nothing is written if another lease
     * has been recorded since.
     *
     * @throws JournalException if it can't be written: the user is stopped, but the lease must <em>not</em> be given back,
     *     as a start from this journal without the coordinator would still use it; let it expire
     */
    public void markClosed(String reason) {
        if (ended == null) {
            ended = reason;
        }
        LeaseUser attached = user.get();
        long lastMillis = attached == null ? Long.MAX_VALUE : attached.stop(reason);
        // Without a user of ours there is no exact last timestamp, and reserved stays.
        journal.markClosed(this, attached == null ? Long.MAX_VALUE : lastMillis + tickMillis);
        standsStill = reason;
    }

    @Override
    public void abandon(String reason) {
        standsStill = reason;
        lease.abandon(reason);
    }

    /**
     * Stops the user, marks the journal closed, and closes the lease. If the mark can't be written, the lease is abandoned:
     * it expires ({@link #markClosed} tells why).
     */
    @Override
    public void close() {
        try {
            markClosed("the lease was closed");
        } catch (JournalException e) {
            LOG.log(
                    Level.ERROR,
                    "worker " + workerId() + " (epoch " + epoch() + ") is not given back: " + e.getMessage());
            lease.abandon(String.valueOf(e.getMessage()));
            return;
        }
        lease.close();
    }

    /** The timestamp that the next id needs, at least. */
    long neededMillis(long nowMillis) {
        return Math.max(nowMillis, positionMillis() + tickMillis);
    }

    long positionMillis() {
        LeaseUser attached = user.get();
        return attached == null ? lease.notBeforeMillis() - tickMillis : attached.positionMillis();
    }

    long leaseUntilMillis() {
        return lease.untilMillis();
    }

    boolean wasAsked() {
        boolean was = asked;
        if (was) {
            asked = false;
        }
        return was;
    }

    boolean wasSaveAsked() {
        boolean was = saveAsked;
        if (was) {
            saveAsked = false;
        }
        return was;
    }

    boolean isWaiting() {
        return asked || saveAsked;
    }

    /** Durable now. */
    void reserved(long millis) {
        reservedMillis = millis;
    }

    void standStill(String why) {
        standsStill = why;
    }

    @Nullable
    String standsStill() {
        return standsStill;
    }
}
