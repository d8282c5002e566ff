package io.snowlease.generator;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Says why no id could be issued, by what {@link Run#attempt} saw when it refused, and counts it. */
final class Refusals {
    private final Layout layout;
    private final ClockPolicy clockPolicy;
    private final long maxWaitMillis;
    private final Map<RefusalReason, LongAdder> counts = new EnumMap<>(RefusalReason.class);

    Refusals(Settings settings) {
        this.layout = settings.layout();
        this.clockPolicy = settings.clockPolicy();
        this.maxWaitMillis = settings.maxWaitMillis();
        for (RefusalReason reason : RefusalReason.values()) {
            counts.put(reason, new LongAdder());
        }
    }

    long count(RefusalReason reason) {
        LongAdder count = counts.get(reason);
        return count == null ? 0 : count.sum();
    }

    IdGenerationException refused(Run run, long seen, long nowMillis, long refusal) {
        return counted(explain(run, seen, nowMillis, refusal));
    }

    IdGenerationException interrupted(Run run, long seen, long nowMillis, long refusal) {
        return counted(new GenerationInterruptedException("interrupted while waiting (the thread's flag is still set): "
                + explain(run, seen, nowMillis, refusal).getMessage()));
    }

    IdGenerationException closed(Run run) {
        return counted(new GeneratorClosedException("the generator of worker " + run.workerId()
                + " is closed and issues nothing any more: make a new one"));
    }

    static LayoutExhaustedException layoutExhausted(Layout layout, long neededMillis) {
        return new LayoutExhaustedException("timestamps must not be past " + layout.lastInstant()
                + ", the last instant of layout " + layout + ": timestamp=" + instant(neededMillis)
                + "; set the clock right, or move to a layout with a later epoch or more timestamp bits");
    }

    /** Ms from now until the clock alone can end the refusal; -1 where it takes more than the clock. */
    long clockWaitMillis(Run run, long seen, long nowMillis, long refusal) {
        if (refusal == Run.CLOCK_BEHIND) {
            return layout.millisOf(run.tickOf(seen) + (waitsForNextTick(run, seen) ? 1 : 0)) - nowMillis;
        }
        return refusal == Run.SEQUENCE_EXHAUSTED ? layout.millisOf(run.tickOf(seen) + 1) - nowMillis : -1;
    }

    private boolean waitsForNextTick(Run run, long seen) {
        return clockPolicy == ClockPolicy.HOLD || !run.hasIssued(seen);
    }

    private IdGenerationException counted(IdGenerationException refusal) {
        LongAdder count = counts.get(refusal.reason());
        if (count != null) {
            count.increment();
        }
        return refusal;
    }

    private IdGenerationException explain(Run run, long seen, long nowMillis, long refusal) {
        if (refusal == Run.STOPPED) {
            return new LeaseLostException(run.workerId(), run.epoch(), run.stopReason());
        } else if (refusal == Run.CLOCK_BEHIND) {
            return clockBehind(run, seen, nowMillis);
        } else if (refusal == Run.SEQUENCE_EXHAUSTED) {
            return new SequenceExhaustedException(
                    "the next tick must come within maxWait=" + maxWaitMillis
                            + " ms when the ids of one are used up: tick " + instant(layout.millisOf(run.tickOf(seen)))
                            + " (" + LayoutSpec.formatTick(layout.tickMillis()) + ", " + layout.sequenceBits()
                            + " sequence bits) has none left; issue fewer ids per tick, raise maxWait, or use a layout"
                            + " with more sequence bits",
                    clockWaitMillis(run, seen, nowMillis, refusal));
        } else if (refusal == Run.BOUND_REACHED) {
            return boundReached(run, seen, nowMillis);
        }
        return layoutExhausted(layout, layout.millisOf(run.wantedTick(seen, nowMillis)));
    }

    private BoundReachedException boundReached(Run run, long seen, long nowMillis) {
        WorkerLease lease = run.lease();
        long wanted = layout.millisOf(run.wantedTick(seen, nowMillis));
        BoundDelay delay = lease.delay();
        long until = lease.untilMillis();
        String rule = "timestamps must be below until=" + instant(until) + ", the bound of worker " + run.workerId()
                + " (epoch " + run.epoch() + "): timestamp=" + instant(wanted);
        if (wanted < until) {
            return new BoundReachedException(
                    rule + " was past it for maxWait=" + maxWaitMillis + " ms, until just now; try again", 1);
        }
        String past = rule + " is " + (wanted - until) + " ms past it, and ";
        if (delay != null) {
            return new BoundReachedException(
                    past + delay.reason() + " (waited for maxWait=" + maxWaitMillis + " ms)", delay.retryAfterMillis());
        }
        return new BoundReachedException(
                past + "no renewal came within maxWait=" + maxWaitMillis
                        + " ms; resumes by itself when the coordinator answers",
                -1);
    }

    private ClockBehindException clockBehind(Run run, long seen, long nowMillis) {
        long tick = run.tickOf(seen);
        long retryAfter = clockWaitMillis(run, seen, nowMillis, Run.CLOCK_BEHIND);
        if (!run.hasIssued(seen)) {
            long first = layout.millisOf(tick + 1);
            return new ClockBehindException(
                    "clock is " + (first - nowMillis) + " ms behind the first timestamp this lease may use: clock="
                            + instant(nowMillis) + ", first=" + instant(first) + ", maxWait=" + maxWaitMillis
                            + " ms; resumes by itself when the clock gets there, else set it right (NTP)"
                            + run.lease().notBeforeHint(),
                    first - nowMillis,
                    retryAfter);
        }
        long last = layout.millisOf(tick);
        boolean hold = clockPolicy == ClockPolicy.HOLD;
        return new ClockBehindException(
                "clock is " + (last - nowMillis) + " ms behind the last timestamp"
                        + (hold ? ", whose ids are used up" : "") + ": clock=" + instant(nowMillis) + ", last="
                        + instant(last) + ", maxWait=" + maxWaitMillis
                        + " ms; set the clock right (NTP), or use clock policy "
                        + (hold ? "BORROW" : "HOLD or BORROW"),
                last - nowMillis,
                retryAfter);
    }

    private static Instant instant(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
