package io.snowlease.generator.journal;

import io.snowlease.generator.LeaseInUseException;
import io.snowlease.generator.LeaseUser;
import io.snowlease.generator.WorkerLease;
import org.jspecify.annotations.Nullable;

/** A lease as a coordinator's client would have it: the test moves the bound, and sees the end. */
final class StubLease implements WorkerLease {
    private final int workerId;
    private final long epoch;
    private final long notBeforeMillis;
    private volatile long untilMillis;
    private volatile boolean closed;
    private @Nullable LeaseUser user;

    StubLease(int workerId, long epoch, long notBeforeMillis, long untilMillis) {
        this.workerId = workerId;
        this.epoch = epoch;
        this.notBeforeMillis = notBeforeMillis;
        this.untilMillis = untilMillis;
    }

    /** Worker 3, epoch 7, from the clocks' start for a minute. */
    static StubLease ofAMinute() {
        return new StubLease(3, 7, FakeClocks.START_MILLIS, FakeClocks.START_MILLIS + 60_000);
    }

    void renewTo(long millis) {
        untilMillis = millis;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public int workerId() {
        return workerId;
    }

    @Override
    public long notBeforeMillis() {
        return notBeforeMillis;
    }

    @Override
    public long untilMillis() {
        return untilMillis;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public synchronized void attach(LeaseUser newUser) {
        if (user != null) {
            throw new LeaseInUseException(workerId, epoch);
        }
        user = newUser;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (user != null) {
            user.stop("the lease was closed");
        }
    }
}
