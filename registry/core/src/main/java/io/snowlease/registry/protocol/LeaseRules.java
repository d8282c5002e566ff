package io.snowlease.registry.protocol;

import io.snowlease.generator.Layout;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rules a lease is granted, moved and given back by; each method is one rule, and pure.
 *
 * <p>The idea: a lease is a span of timestamps of a worker id. {@code until} is its expiry, the last-known timestamp,
 * and the fence, all in one number. Whoever comes next starts at or above it, so that two holders of one worker id own
 * disjoint timestamps whatever their clocks say and whoever was paused. Uniqueness needs acknowledged compare-and-set
 * writes to be kept, and nothing else; where a store can lose them, a quarantine lifts every new lease above whatever a
 * lost grant can have allowed.
 *
 * <p>Why the quarantine is {@code now + D + 2S + L}: no grant's bound lies beyond {@code floor or local + D}, both are
 * at most {@code now + S} when it is granted ({@link #isGrantable}, {@link #isAhead}), the clocks of two servers differ
 * by at most S, and a replaced primary may go on granting for L.
 *
 * <p>Not final so that the simulation can take one rule out at a time and show what it prevents. Thread-safe, without
 * state.
 */
public class LeaseRules {
    private static final double RUNNING_OUT_SHARE = 0.8;

    private final Layout layout;

    /** Rules on the tick grid of {@code layout}. */
    public LeaseRules(Layout layout) {
        this.layout = layout;
    }

    // Claim

    /** Plans taking the slot; {@code previous} is null when the worker id was never used. */
    public final ClaimDecision claim(
            RegistryRecord registry,
            int worker,
            @Nullable SlotRecord previous,
            LeaseRequest request,
            long now,
            long local) {
        if (previous != null && !isFree(previous, registry.skewMillis(), now)) {
            return new ClaimDecision.Held(previous.until() + registry.skewMillis());
        }
        long floor = claimFloor(registry, previous, request);
        if (!isGrantable(floor, registry.skewMillis(), now)) {
            return new ClaimDecision.TooEarly(floor, floor - registry.skewMillis());
        }
        long epoch = Math.max(previous == null ? 1 : previous.epoch() + 1, registry.quarantineUntil());
        long until = onGrid(Math.max(floor, local) + registry.leaseMillis());
        return new ClaimDecision.Grant(new SlotRecord(
                worker,
                epoch,
                request.node(),
                request.token(),
                SlotState.HELD,
                floor,
                until,
                floor - layout.tickMillis(),
                now,
                now));
    }

    /** A slot is free once given back, or once the coordinator's time has passed its bound by S. */
    protected boolean isFree(SlotRecord slot, long skewMillis, long now) {
        return slot.state() == SlotState.RELEASED || now >= slot.until() + skewMillis;
    }

    /** I2, I4, I7: above the previous bound, any quarantine, the operator's floor, and the generator's own past. */
    protected long claimFloor(RegistryRecord registry, @Nullable SlotRecord previous, LeaseRequest request) {
        long floor = Math.max(registry.quarantineUntil(), registry.floor());
        floor = Math.max(floor, request.generatorFloor());
        // Tick 0 is never issued.
        floor = Math.max(floor, layout.epochMillis() + layout.tickMillis());
        return onGrid(previous == null ? floor : Math.max(floor, previous.until()));
    }

    /** A far floor is not granted, so that no bound ever lies beyond {@code now + D + 2S}. */
    protected boolean isGrantable(long floor, long skewMillis, long now) {
        return floor <= now + skewMillis;
    }

    // Renew

    /** Plans moving the bound of {@code held} ahead; {@code last} is the generator's last timestamp. */
    public final RenewDecision renew(
            RegistryRecord registry, @Nullable SlotRecord slot, HeldBound held, long last, long now, long local) {
        if (!registry.registryId().equals(held.registryId())) {
            return new RenewDecision.Forgotten(
                    "registry " + held.registryId() + " was replaced by " + registry.registryId(), false);
        }
        if (slot == null
                || slot.epoch() < held.epoch()
                || (slot.epoch() == held.epoch() && slot.until() < held.until())) {
            return new RenewDecision.Forgotten(forgotten(slot, held), true);
        }
        if (!slot.isLeaseOf(held.token(), held.epoch()) || slot.state() != SlotState.HELD) {
            return new RenewDecision.Fenced(
                    slot.state() == SlotState.EVICTED && slot.epoch() == held.epoch()
                            ? "evicted by an operator"
                            : "worker " + held.worker() + " was taken by " + slot.node() + " (epoch " + slot.epoch()
                                    + ")");
        }
        if (!isBeforeKnownBound(held, now)) {
            return new RenewDecision.Fenced("the lease ran out at " + Instant.ofEpochMilli(held.until()) + ", "
                    + (now - held.until()) + " ms ago by the coordinator's clock");
        }
        if (mayHaveBeenTakenElsewhere(registry, slot)) {
            return new RenewDecision.Forgotten(
                    "a replaced primary may have given worker " + held.worker() + " away after "
                            + Instant.ofEpochMilli(slot.until()),
                    false);
        }
        long until = Math.max(slot.until(), onGrid(local + registry.leaseMillis()));
        return new RenewDecision.Extend(slot.renewed(until, Math.max(slot.last(), last), now));
    }

    private static String forgotten(@Nullable SlotRecord slot, HeldBound held) {
        return slot == null
                ? "the coordinator has no record of worker " + held.worker()
                : "the coordinator knows epoch " + slot.epoch() + " until " + Instant.ofEpochMilli(slot.until())
                        + " of worker " + held.worker() + ", this node holds epoch " + held.epoch() + " until "
                        + Instant.ofEpochMilli(held.until());
    }

    /** Whether a renewal still comes before the bound that the holder itself knows. */
    protected boolean isBeforeKnownBound(HeldBound held, long now) {
        return now < held.until();
    }

    /** Coordinator's time from which a planned renewal must not be written any more, exclusive. */
    public long renewableBefore(HeldBound held) {
        return held.until();
    }

    /**
     * A quarantine lifts new leases above what a replaced primary grants, but a renewal extends a bound below it. While
     * the replaced primary still accepts writes, that is until {@code quarantineUntil - D - 2S} at the latest, another
     * node can take a slot there once its bound has passed, and this server never hears of it. So only a bound that
     * reaches beyond that may be moved.
     */
    protected boolean mayHaveBeenTakenElsewhere(RegistryRecord registry, SlotRecord slot) {
        return slot.until() <= registry.quarantineUntil() - registry.leaseMillis() - 2 * registry.skewMillis();
    }

    // Resume

    /**
     * Plans going on with a lease that a crashed process held, as its journal tells.
     *
     * @param held what the journal holds; its floor is what the journal has reserved
     * @param resumeTokens tokens of resumes that may have been written, although nobody saw their reply
     */
    public final ResumeDecision resume(
            RegistryRecord registry,
            @Nullable SlotRecord slot,
            HeldBound held,
            Collection<String> resumeTokens,
            LeaseRequest request,
            long now,
            long local) {
        if (!registry.registryId().equals(held.registryId())) {
            return new ResumeDecision.NoProof(
                    "registry " + held.registryId() + " was replaced by " + registry.registryId());
        }
        if (slot == null || slot.epoch() < held.epoch()) {
            return new ResumeDecision.Forgotten(forgotten(slot, held));
        }
        boolean resumedBefore = slot.epoch() > held.epoch() && resumeTokens.contains(slot.token());
        if (slot.state() != SlotState.HELD || !(slot.isLeaseOf(held.token(), held.epoch()) || resumedBefore)) {
            return new ResumeDecision.NoProof("worker " + held.worker() + " is "
                    + slot.state().name().toLowerCase(Locale.ROOT) + " by " + slot.node() + " since epoch "
                    + slot.epoch() + ", the journal is of epoch " + held.epoch());
        }
        if (!resumedBefore && slot.until() < held.until()) {
            return new ResumeDecision.Forgotten(forgotten(slot, held));
        }
        if (!isBeforeKnownBounds(held, slot, now)) {
            return new ResumeDecision.NoProof("the lease of worker " + held.worker() + " ran out at "
                    + Instant.ofEpochMilli(resumableBefore(held, slot)) + " by the coordinator's clock");
        }
        if (!isAboveReported(held, slot)) {
            return new ResumeDecision.NoProof("the journal is an old copy: it has reserved timestamps below "
                    + Instant.ofEpochMilli(held.floor()) + ", and the coordinator knows of one at "
                    + Instant.ofEpochMilli(slot.last()));
        }
        if (mayHaveBeenResumedElsewhere(registry, slot)) {
            return new ResumeDecision.NoProof("a replaced primary may have given worker " + held.worker()
                    + " away after " + Instant.ofEpochMilli(slot.until()));
        }
        long floor = onGrid(Math.max(held.floor(), request.generatorFloor()));
        long until = Math.max(slot.until(), onGrid(local + registry.leaseMillis()));
        if (floor >= until) {
            return new ResumeDecision.NoProof("no timestamp of worker " + held.worker() + " is left below its bound, "
                    + Instant.ofEpochMilli(until));
        }
        return new ResumeDecision.Grant(new SlotRecord(
                held.worker(),
                Math.max(slot.epoch() + 1, registry.quarantineUntil()),
                request.node(),
                request.token(),
                SlotState.HELD,
                floor,
                until,
                floor - layout.tickMillis(),
                now,
                now));
    }

    /** Whether a resume still comes before the bound that the journal knows, and before the record's. */
    protected boolean isBeforeKnownBounds(HeldBound held, SlotRecord slot, long now) {
        return now < resumableBefore(held, slot);
    }

    /** As {@link #mayHaveBeenTakenElsewhere}: a resume extends the bound, as a renewal does. */
    protected boolean mayHaveBeenResumedElsewhere(RegistryRecord registry, SlotRecord slot) {
        return mayHaveBeenTakenElsewhere(registry, slot);
    }

    /** Coordinator's time from which a planned resume must not be written any more, exclusive. */
    public long resumableBefore(HeldBound held, SlotRecord slot) {
        return Math.min(held.until(), slot.until());
    }

    /** What was put back from a copy has reserved less than the coordinator was told. */
    protected boolean isAboveReported(HeldBound held, SlotRecord slot) {
        return held.floor() > slot.last();
    }

    // Release

    /**
     * Plans giving the slot back, or null when it is no longer this holder's. The generator must have been stopped
     * before, and {@code last} be its exact last timestamp (I6).
     */
    public final @Nullable SlotRecord release(@Nullable SlotRecord slot, HeldBound held, long last, long now) {
        if (slot == null || slot.state() != SlotState.HELD || !slot.isLeaseOf(held.token(), held.epoch())) {
            return null;
        }
        return slot.released(releaseBound(slot, last), Math.max(slot.last(), last), now);
    }

    /** Not below the floor: a lease that issued nothing must not hand back timestamps it never owned. */
    protected long releaseBound(SlotRecord slot, long last) {
        return onGrid(Math.max(last + layout.tickMillis(), slot.floor()));
    }

    // Evict

    /**
     * Plans taking the slot from its holder, or null when nobody holds it: never used, given back, evicted before, or
     * free as its bound has passed. The holder is fenced at its next renewal; until then its ids stay its own, as the
     * bound stays where it is.
     */
    public final @Nullable SlotRecord evict(
            RegistryRecord registry, @Nullable SlotRecord slot, String token, long now) {
        if (slot == null || slot.state() != SlotState.HELD || isFree(slot, registry.skewMillis(), now)) {
            return null;
        }
        return slot.evicted(token, evictedBound(slot, now));
    }

    /** Never lowered, so that evicting a live holder can't make a duplicate. */
    protected long evictedBound(SlotRecord slot, long now) {
        return slot.until();
    }

    /** Coordinator's time from which a slot that is not renewed any more can be taken. */
    public static long freeAt(RegistryRecord registry, long until) {
        return until + registry.skewMillis();
    }

    // Registry

    /**
     * Plans a new registry; its quarantine is over at once only on an operator's word that it was never used.
     *
     * @throws IllegalArgumentException if the layout can't hold the coordinator's time: it could never be used
     */
    public final RegistryRecord newRegistry(
            RegistrySettings settings,
            String registryId,
            String serverIdentity,
            long lagMillis,
            boolean neverUsed,
            long floor,
            long now) {
        WorkerRange range = settings.rangeOrDefault();
        if (layout.epochMillis() > now || layout.endMillis() <= now) {
            throw new IllegalArgumentException("must have begun and not have ended: layout=" + layout + " lasts from "
                    + Instant.ofEpochMilli(layout.epochMillis()) + " to " + layout.lastInstant()
                    + ", the coordinator's time is " + Instant.ofEpochMilli(now));
        }
        return new RegistryRecord(
                registryId,
                settings.layoutOrDefault().toString(),
                settings.leaseMillis(),
                settings.skewMillis(),
                lagMillis,
                range.first(),
                range.last(),
                now,
                serverIdentity,
                neverUsed ? 0 : quarantine(now, settings.leaseMillis(), settings.skewMillis(), lagMillis),
                floor == 0 ? 0 : onGrid(floor));
    }

    /**
     * Lifts every new lease above whatever a lost write can have granted.
     *
     * @param atLeast a bound known to have been granted, plus 2S, or 0
     */
    public final RegistryRecord quarantined(RegistryRecord registry, String serverIdentity, long now, long atLeast) {
        long until = quarantine(now, registry.leaseMillis(), registry.skewMillis(), registry.lagMillis());
        return registry.withQuarantine(
                Math.max(registry.quarantineUntil(), Math.max(until, onGrid(atLeast))), serverIdentity);
    }

    /**
     * Lifts every new lease above a bound that is known to have been granted. Any node may say so, whatever its clock:
     * the bound is the coordinator's own word, and a quarantine never falls.
     */
    public final RegistryRecord raised(RegistryRecord registry, long atLeast) {
        return registry.withQuarantine(
                Math.max(registry.quarantineUntil(), onGrid(atLeast)), registry.serverIdentity());
    }

    /** What a holder whose registry was lost knows the quarantine must reach at least: its own bound + 2S. */
    public long quarantineFor(HeldBound held, long skewMillis) {
        return held.until() + 2 * skewMillis;
    }

    /** End of a quarantine that starts now. */
    protected long quarantine(long now, long leaseMillis, long skewMillis, long lagMillis) {
        return onGrid(now + leaseMillis + 2 * skewMillis + lagMillis);
    }

    /**
     * Whether D is no longer than S. Ids stay unique, but the leases of a node whose clock is behind by the tolerated
     * skew have ended when they are granted.
     */
    public static boolean isShort(RegistryRecord registry) {
        return registry.leaseMillis() <= registry.skewMillis();
    }

    /** Whether so many worker ids are held that new nodes may soon get none. */
    public static boolean isRunningOut(long held, int workers) {
        return held >= RUNNING_OUT_SHARE * workers;
    }

    /** Whether the server that answers is not the one whose writes this registry's records are. */
    public boolean isOtherServer(RegistryRecord registry, String serverIdentity) {
        return !registry.serverIdentity().equals(serverIdentity);
    }

    // Skew

    /** A clock this far ahead is refused: it would buy bounds in the future. */
    public boolean isAhead(long local, long now, long skewMillis) {
        return local > now + skewMillis;
    }

    /** Identity and quarantine are written only by a node whose clock, and so the server's, can be believed. */
    public boolean maySetQuarantine(long local, long now, long skewMillis) {
        return Math.abs(local - now) <= skewMillis;
    }

    /** Bounds lie on the tick grid: otherwise {@code until - 1} and {@code until} could share a tick. */
    protected long onGrid(long millis) {
        return layout.roundUpToTick(millis);
    }
}
