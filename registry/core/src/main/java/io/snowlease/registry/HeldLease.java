package io.snowlease.registry;

import io.snowlease.generator.LeaseInUseException;
import io.snowlease.generator.LeaseLostException;
import io.snowlease.generator.LeaseUser;
import io.snowlease.generator.WorkerLease;
import io.snowlease.registry.protocol.HeldBound;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One lease, from grant to loss or release, as its generator sees it. */
final class HeldLease implements WorkerLease {
    private final long tickMillis;
    private final Consumer<HeldLease> onClose;
    private final Consumer<String> onAbandon;
    private final AtomicReference<@Nullable LeaseUser> user = new AtomicReference<>();
    private volatile HeldBound bound;
    private volatile @Nullable String ended;

    HeldLease(HeldBound granted, long tickMillis, Consumer<HeldLease> onClose, Consumer<String> onAbandon) {
        this.bound = granted;
        this.tickMillis = tickMillis;
        this.onClose = onClose;
        this.onAbandon = onAbandon;
    }

    @Override
    public int workerId() {
        return bound.worker();
    }

    @Override
    public long notBeforeMillis() {
        return bound.floor();
    }

    @Override
    public long untilMillis() {
        return bound.until();
    }

    @Override
    public long epoch() {
        return bound.epoch();
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
        over = ended;
        if (over != null) {
            // Ended between the two looks, by a thread that may not have seen the user.
            attaching.stop(over);
            throw new LeaseLostException(workerId(), epoch(), over);
        }
    }

    @Override
    public void close() {
        onClose.accept(this);
    }

    @Override
    public void abandon(String reason) {
        onAbandon.accept(reason);
    }

    HeldBound bound() {
        return bound;
    }

    /** Moves the bound to where the coordinator has acknowledged it; never back. */
    void extend(HeldBound renewed) {
        if (renewed.until() > bound.until()) {
            bound = renewed;
        }
    }

    /** Last timestamp issued so far; the tick before the first one if none was. */
    long lastMillis() {
        LeaseUser attached = user.get();
        return attached == null ? bound.floor() - tickMillis : attached.lastTimestampMillis();
    }

    /** Ends issuing for good; returns the last timestamp issued, exact. */
    long end(String reason) {
        if (ended == null) {
            ended = reason;
        }
        LeaseUser attached = user.get();
        return attached == null ? bound.floor() - tickMillis : attached.stop(reason);
    }
}
