package io.snowlease.generator;

/**
 * The slow path of a claim: tries again until it succeeds or {@code maxWait} has passed on the monotonic clock. Spins
 * where the next tick is near, since whoever notices a tick late loses ids of it; parks where more than the clock is
 * needed, or more than a moment. Allocates nothing unless it throws.
 */
final class Waits {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SLICE_NANOS = NANOS_PER_MILLI;
    /**
     * A thread that was off the processor for longer, past its deadline, has not waited: it gets this much more, once.
     * Without it, calls at the full rate fail on a busy machine, as they come back into ticks that are used up.
     */
    private static final long PAUSE_NANOS = 2 * NANOS_PER_MILLI;
    /** A parked thread comes back up to a tenth of a ms late; the clock reading may be a whole ms old. */
    private static final long SPIN_BELOW_MILLIS = 2;
    /** Spins that the monotonic clock may stand still for; one that does is moved by {@link Clocks#parkNanos} alone. */
    private static final int MAX_FROZEN_SPINS = 256;

    private final SnowflakeGenerator generator;
    private final Clocks clocks;
    private final Refusals refusals;
    private final long maxWaitNanos;

    Waits(SnowflakeGenerator generator, Settings settings, Refusals refusals) {
        this.generator = generator;
        this.clocks = settings.clocks();
        this.refusals = refusals;
        this.maxWaitNanos = settings.maxWaitMillis() * NANOS_PER_MILLI;
    }

    /** As {@link Run#claim} of whichever run is current, but throws where that refuses. */
    long claim(int n) {
        long startNanos = clocks.monotonicNanos();
        long limitNanos = maxWaitNanos;
        long waitedNanos = 0;
        int frozenSpins = 0;
        while (true) {
            Run run = generator.run();
            long seen = run.state;
            long nowMillis = clocks.wallMillis();
            long id = run.attempt(seen, nowMillis, n);
            if (id >= 0) {
                return id;
            }
            if (id == Run.RACE_LOST) {
                continue;
            }
            if (id == Run.STOPPED && generator.isClosed()) {
                throw refusals.closed(run);
            }
            if (id == Run.LAYOUT_EXHAUSTED || waitedNanos >= limitNanos) {
                throw refusals.refused(run, seen, nowMillis, id);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw refusals.interrupted(run, seen, nowMillis, id);
            }
            long clockWaitMillis = refusals.clockWaitMillis(run, seen, nowMillis, id);
            if (clockWaitMillis >= 0 && clockWaitMillis <= SPIN_BELOW_MILLIS && frozenSpins < MAX_FROZEN_SPINS) {
                Thread.onSpinWait();
            } else {
                clocks.parkNanos(Math.min(SLICE_NANOS, limitNanos - waitedNanos));
                frozenSpins = 0;
            }
            long nanos = clocks.monotonicNanos() - startNanos;
            frozenSpins = nanos == waitedNanos ? frozenSpins + 1 : 0;
            if (nanos >= limitNanos && nanos - waitedNanos > PAUSE_NANOS && limitNanos == maxWaitNanos) {
                limitNanos = nanos + PAUSE_NANOS;
            }
            waitedNanos = nanos;
        }
    }
}
