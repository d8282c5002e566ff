package io.snowlease.generator;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds a {@link SnowflakeGenerator}. Everything but the lease has a default. Not thread-safe. */
public final class SnowflakeGeneratorBuilder {
    private static final Duration MAX_MAX_WAIT = Duration.ofHours(1);

    private final Layout layout;
    private @Nullable WorkerLease lease;
    private ClockPolicy clockPolicy = ClockPolicy.REFUSE;
    private SequenceStart sequenceStart = SequenceStart.ZERO;
    private long maxWaitMillis = 100;
    private Clocks clocks = Clocks.system();

    SnowflakeGeneratorBuilder(Layout layout) {
        this.layout = Objects.requireNonNull(layout, "layout");
    }

    /** The lease to issue ids on. It serves this generator only, and is closed with it. */
    public SnowflakeGeneratorBuilder lease(WorkerLease lease) {
        this.lease = lease;
        return this;
    }

    /** What to do while the clock is behind; default {@link ClockPolicy#REFUSE}. */
    public SnowflakeGeneratorBuilder clockPolicy(ClockPolicy clockPolicy) {
        this.clockPolicy = clockPolicy;
        return this;
    }

    /** First sequence of a tick; default {@link SequenceStart#ZERO}. */
    public SnowflakeGeneratorBuilder sequenceStart(SequenceStart sequenceStart) {
        this.sequenceStart = sequenceStart;
        return this;
    }

    /**
     * How long a call may wait for the clock, the next tick, the bound or another lease: whole ms, 0 (don't wait) to 1
     * h; default 100 ms.
     */
    public SnowflakeGeneratorBuilder maxWait(Duration maxWait) {
        if (maxWait.isNegative()
                || maxWait.compareTo(MAX_MAX_WAIT) > 0
                || !maxWait.equals(Duration.ofMillis(maxWait.toMillis()))) {
            throw new IllegalArgumentException(
                    "maxWait must be whole milliseconds, 0 to " + MAX_MAX_WAIT + ": maxWait=" + maxWait);
        }
        this.maxWaitMillis = maxWait.toMillis();
        return this;
    }

    /** The clocks to go by; default {@link Clocks#system()}. */
    public SnowflakeGeneratorBuilder clocks(Clocks clocks) {
        this.clocks = clocks;
        return this;
    }

    /**
     * Attaches to the lease. Does not wait: the first id may.
     *
     * @throws IllegalStateException if no lease was given
     * @throws IllegalArgumentException if the worker id does not fit the layout, or the epoch is in the future
     * @throws LayoutExhaustedException if the layout's last instant has passed
     * @throws LeaseInUseException if the lease serves or served another generator
     * @throws LeaseLostException if the lease is lost or closed already
     */
    public SnowflakeGenerator build() {
        WorkerLease lease = this.lease;
        if (lease == null) {
            throw new IllegalStateException("a generator must have a lease: call lease(...) before build()");
        }
        requireWorkerId(layout, lease.workerId());
        long nowMillis = clocks.wallMillis();
        if (layout.epochMillis() > nowMillis) {
            throw new IllegalArgumentException("the epoch must not be in the future: layout=" + layout + ", clock="
                    + Instant.ofEpochMilli(nowMillis) + "; set the clock right, or choose an earlier epoch");
        }
        if (nowMillis >= layout.endMillis()) {
            throw Refusals.layoutExhausted(layout, nowMillis);
        }
        long seed = sequenceStart == SequenceStart.RANDOM ? new SecureRandom().nextLong() : 0;
        return new SnowflakeGenerator(
                new Settings(layout, clockPolicy, sequenceStart, seed, maxWaitMillis, clocks), lease);
    }

    static void requireWorkerId(Layout layout, int workerId) {
        if (workerId < 0 || workerId > layout.maxWorkerId()) {
            throw new IllegalArgumentException("worker id must be 0 to " + layout.maxWorkerId() + " ("
                    + layout.workerBits() + " worker bits): workerId=" + workerId
                    + "; use a worker range that fits, or a"
                    + " layout with more worker bits");
        }
    }
}
