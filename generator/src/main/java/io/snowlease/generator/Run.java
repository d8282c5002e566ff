package io.snowlease.generator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One lease, as one generator uses it up: worker id, bound and state in one object, so that no thread ever sees the
 * worker id of one lease and the bound of another.
 *
 * <h2>The state</h2>
 *
 * <p>One word, {@code tick << sequenceBits | sequence} of the last id issued. It only grows, so a compare-and-set that
 * succeeds proves that nothing was issued since the word was read: the claim is the whole critical section, and a batch
 * is one claim too. Before anything was issued it is one below the first sequence of the first tick.
 *
 * <h2>Clocks</h2>
 *
 * <p>The clock is read <em>after</em> the state. The other way round, a thread that is preempted between the two finds a
 * state that others have moved past its own reading, and takes that for a clock set back [1]. A claim that lost its race,
 * and one that was refused, starts over from both. A batch or id within the last tick needs no division: how late the
 * clock is relative to that tick's start is a multiplication.
 *
 * <h2>The bound</h2>
 *
 * <p>A tick is allowed iff it starts before the lease's {@code until}; the first one is the first that does not start
 * before {@code notBefore}. So two leases with {@code until <= notBefore} share no tick, even off the grid (I2, I4). Every
 * claim that enters another tick is checked (I3); those that stay in the tick need no check, as bounds never fall. The
 * bound is kept here in ticks and asked for again only when it is hit.
 *
 * <h2>The end</h2>
 *
 * <p>{@link #stop} swaps the sign bit into the state. A thread in flight, however long it was paused, then fails its
 * compare-and-set, which a flag beside the state could not make it do (I6). The low 63 bits stay, and are exact from
 * there on. {@link #NOT_STARTED} is the one negative state that holds no last id, as tick 0 is never issued.
 *
 * <p>[1] Seata PR #2972; the order is Agrona's {@code SnowflakeIdGenerator}'s.
 */
final class Run extends PaddedState implements LeaseUser {
    static final long STOPPED = -1;
    static final long CLOCK_BEHIND = -2;
    static final long SEQUENCE_EXHAUSTED = -3;
    static final long BOUND_REACHED = -4;
    static final long LAYOUT_EXHAUSTED = -5;
    static final long RACE_LOST = -6;

    private static final long NOT_STARTED = Long.MIN_VALUE;
    private static final VarHandle STOP_REASON;

    static {
        try {
            STOP_REASON = MethodHandles.lookup().findVarHandle(Run.class, "stopReason", String.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final WorkerLease lease;
    private final Layout layout;
    private final Clocks clocks;
    private final int workerId;
    private final long epoch;
    private final long leaseFirstTick;

    private final long epochMillis;
    private final long tickMillis;
    private final int sequenceBits;
    private final long sequenceMask;
    private final int tickShift;
    private final int shardBits;
    private final long workerPart;
    private final boolean refuses;
    private final boolean borrows;
    private final long startMask;
    private final long startSeed;

    private volatile long limitTick;
    private volatile long startState;
    private volatile @Nullable String stopReason;

    Run(Settings settings, WorkerLease lease) {
        this.lease = lease;
        this.layout = settings.layout();
        this.clocks = settings.clocks();
        this.workerId = lease.workerId();
        this.epoch = lease.epoch();
        this.epochMillis = layout.epochMillis();
        this.tickMillis = layout.tickMillis();
        this.sequenceBits = layout.sequenceBits();
        this.sequenceMask = (1L << sequenceBits) - 1;
        this.tickShift = IdBits.tickShift(layout);
        this.shardBits = layout.shardBits();
        this.workerPart = (long) workerId << IdBits.workerShift(layout);
        this.refuses = settings.clockPolicy() == ClockPolicy.REFUSE;
        this.borrows = settings.clockPolicy() == ClockPolicy.BORROW;
        this.startMask = (1L << settings.sequenceStart().startBits(sequenceBits)) - 1;
        this.startSeed = settings.sequenceSeed();
        this.leaseFirstTick = Math.max(1, Math.min(firstTickNotBefore(lease.notBeforeMillis()), layout.maxTick() + 1));
        this.startState = stateBefore(leaseFirstTick);
        this.state = NOT_STARTED;
    }

    /** Lets ids be issued, from this tick at the earliest; without effect if the run was stopped before. */
    void start(long earliestTick) {
        long before = stateBefore(Math.max(leaseFirstTick, Math.min(earliestTick, layout.maxTick() + 1)));
        startState = before;
        compareAndSet(NOT_STARTED, before);
    }

    /** Claims up to n ids of one tick; gives the first one, with shard bits 0, or a negative refusal. */
    long claim(int n) {
        while (true) {
            long seen = state;
            long id = attempt(seen, clocks.wallMillis(), n);
            if (id != RACE_LOST) {
                return id;
            }
            Thread.onSpinWait();
        }
    }

    /** One attempt of {@link #claim}, by a state that was read and a clock that was read after it. */
    long attempt(long seen, long nowMillis, int n) {
        if (seen < 0) {
            return STOPPED;
        }
        long seenTick = seen >>> sequenceBits;
        long lateMillis = nowMillis - epochMillis - seenTick * tickMillis;
        long first;
        if (lateMillis >= tickMillis) {
            long tick = seenTick + (tickMillis == 1 ? lateMillis : lateMillis / tickMillis);
            if (tick >= limitTick && !reaches(tick)) {
                return beyond(tick);
            }
            first = firstOf(tick);
        } else {
            if (lateMillis < 0 && refuses) {
                return CLOCK_BEHIND;
            }
            first = seen + 1;
            if ((first & sequenceMask) == 0) {
                if (!borrows) {
                    return lateMillis < 0 || seen == startState ? CLOCK_BEHIND : SEQUENCE_EXHAUSTED;
                }
                long tick = seenTick + 1;
                if (tick >= limitTick && !reaches(tick)) {
                    return beyond(tick);
                }
                first = firstOf(tick);
            }
        }
        long last = first + Math.min(n - 1, sequenceMask - (first & sequenceMask));
        return compareAndSet(seen, last) ? idOf(first) : RACE_LOST;
    }

    @Override
    public long stop(String reason) {
        STOP_REASON.compareAndSet(this, null, reason);
        while (true) {
            long seen = state;
            if (seen < 0 && seen != NOT_STARTED) {
                return lastTimestampMillis();
            }
            long last = seen == NOT_STARTED ? stateBefore(leaseFirstTick) : seen;
            compareAndSet(seen, last | Long.MIN_VALUE);
        }
    }

    @Override
    public long lastTimestampMillis() {
        // A run may start later than its lease allows (I7): until it has issued, that is not this lease's doing.
        long issuedTick = lastIssuedTick();
        return layout.millisOf(issuedTick < 0 ? leaseFirstTick - 1 : issuedTick);
    }

    @Override
    public long positionMillis() {
        return layout.millisOf(tickOf(state));
    }

    boolean hasIssued(long seen) {
        return seen != startState;
    }

    /** Tick of the last id issued, or -1 when none was. */
    long lastIssuedTick() {
        long last = state & Long.MAX_VALUE;
        return last == 0 || last == startState || last == stateBefore(leaseFirstTick) ? -1 : last >>> sequenceBits;
    }

    long tickOf(long seen) {
        return (seen & Long.MAX_VALUE) >>> sequenceBits;
    }

    /** The tick that the next id would need. */
    long wantedTick(long seen, long nowMillis) {
        return Math.max(layout.tickOf(nowMillis), tickOf(seen) + 1);
    }

    WorkerLease lease() {
        return lease;
    }

    int workerId() {
        return workerId;
    }

    long epoch() {
        return epoch;
    }

    String stopReason() {
        String reason = stopReason;
        return reason == null ? "not started" : reason;
    }

    private long beyond(long tick) {
        return tick > layout.maxTick() ? LAYOUT_EXHAUSTED : BOUND_REACHED;
    }

    /** Asks the lease for its bound again; racing threads may write an older one, which is lower and as true. */
    private boolean reaches(long tick) {
        long limit = Math.min(firstTickNotBefore(lease.untilMillis()), layout.maxTick() + 1);
        limitTick = limit;
        return tick < limit;
    }

    private long firstTickNotBefore(long millis) {
        return millis <= epochMillis ? 0 : (millis - 1 - epochMillis) / tickMillis + 1;
    }

    private long stateBefore(long tick) {
        return (tick << sequenceBits) - 1;
    }

    private long firstOf(long tick) {
        return tick << sequenceBits | startOf(tick);
    }

    /** MurmurHash3's finalizer over tick and seed. */
    private long startOf(long tick) {
        if (startMask == 0) {
            return 0;
        }
        long hash = tick + startSeed;
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash >>> 33 & startMask;
    }

    private long idOf(long issued) {
        return issued >>> sequenceBits << tickShift | (issued & sequenceMask) << shardBits | workerPart;
    }
}
