package io.snowlease.generator;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A lease whose bound the test moves. */
final class TestLease implements WorkerLease {
    private final int workerId;
    private final long epoch;
    private final long notBeforeMillis;
    private final AtomicReference<@Nullable LeaseUser> user = new AtomicReference<>();
    private volatile long untilMillis;
    private volatile boolean closed;
    private volatile long lastAtCloseMillis = -1;

    TestLease(int workerId, long epoch, long notBeforeMillis, long untilMillis) {
        this.workerId = workerId;
        this.epoch = epoch;
        this.notBeforeMillis = notBeforeMillis;
        this.untilMillis = untilMillis;
    }

    /** Worker 3, epoch 7, from the tests' start for a minute. */
    static TestLease ofAMinute() {
        return new TestLease(3, 7, VirtualClocks.START_MILLIS, VirtualClocks.START_MILLIS + 60_000);
    }

    /** Worker 3, epoch 7, from 1970 to a bound that no test reaches. */
    static TestLease endless() {
        return new TestLease(3, 7, 0, Long.MAX_VALUE);
    }

    void renewTo(long millis) {
        untilMillis = millis;
    }

    long lose(String reason) {
        return user().stop(reason);
    }

    LeaseUser user() {
        LeaseUser attached = user.get();
        if (attached == null) {
            throw new AssertionError("no user attached");
        }
        return attached;
    }

    boolean isAttached() {
        return user.get() != null;
    }

    boolean isClosed() {
        return closed;
    }

    long lastAtCloseMillis() {
        return lastAtCloseMillis;
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
    public void attach(LeaseUser newUser) {
        if (closed) {
            throw new LeaseLostException(workerId, epoch, "closed");
        }
        if (!user.compareAndSet(null, newUser)) {
            throw new LeaseInUseException(workerId, epoch);
        }
    }

    @Override
    public void close() {
        closed = true;
        LeaseUser attached = user.get();
        if (attached != null) {
            lastAtCloseMillis = attached.stop("the lease was closed");
        }
    }
}
