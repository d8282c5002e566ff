package io.snowlease.registry;

import io.snowlease.registry.RegistryAccess.Opened;
import io.snowlease.registry.protocol.ClaimDecision;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.LeaseRequest;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.Candidates;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.SlotBound;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a worker id: this node's own old one if it is free, else one that was never used, else the one that has been
 * free longest. A grant counts once, for the call that waits for it; one whose reply was lost for good becomes an
 * {@linkplain Orphans orphan}.
 */
final class Claims {
    /** Nodes that race for the same slots spread out further with each round; 2^16 candidates are enough for all. */
    private static final int MAX_ROUNDS = 16;

    private static final int OWN_SLOTS_TRIED = 3;
    private static final int NEVER_USED_TRIED = 64;
    private static final int BOUNDS_READ = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

    private final LeaseStore store;
    private final RegistryAccess access;
    private final Exchange exchange;
    private final Orphans orphans;
    private final Supplier<String> randomIds;
    private final RandomGenerator random;

    Claims(
            LeaseStore store,
            RegistryAccess access,
            Exchange exchange,
            Orphans orphans,
            Supplier<String> randomIds,
            RandomGenerator random) {
        this.store = store;
        this.access = access;
        this.exchange = exchange;
        this.orphans = orphans;
        this.randomIds = randomIds;
        this.random = random;
    }

    /**
     * Claims a worker id.
     *
     * @param node this node's name
     * @param generatorFloor first timestamp the generator can use, or {@link Long#MIN_VALUE}
     * @param held leases of this process
     * @throws NoFreeWorkerException if all are held
     * @throws NotGrantableYetException if no lease can start yet
     * @throws StoreUnavailableException if the coordinator does not answer, or its answer stays unclear
     */
    HeldBound claim(String node, long generatorFloor, Collection<HeldBound> held) {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Opened opened = access.open(held);
            Round attempt = new Round(opened, new LeaseRequest(node, randomIds.get(), generatorFloor), 1 << round);
            HeldBound granted = attempt.run();
            if (granted != null) {
                return granted;
            }
        }
        throw new StoreUnavailableException(
                "lost " + MAX_ROUNDS + " races for a worker id against other nodes on " + store.servers(), null);
    }

    /** Whether any lease at all can start now. */
    static void refuseIfNothingIsGrantable(Opened opened, LeaseRequest request) {
        ClaimDecision decision =
                opened.rules().claim(opened.registry(), 0, null, request, opened.now(), opened.local());
        if (decision instanceof ClaimDecision.TooEarly early) {
            throw tooEarly(opened, early);
        }
    }

    private static NotGrantableYetException tooEarly(Opened opened, ClaimDecision.TooEarly early) {
        boolean quarantine = early.floor() <= opened.registry().quarantineUntil();
        return new NotGrantableYetException(
                (quarantine ? "registry in quarantine until " : "first timestamp not before ")
                        + Instant.ofEpochMilli(early.floor()),
                Instant.ofEpochMilli(early.grantableAt()),
                early.grantableAt() - opened.now());
    }

    /** One look at the registry, and what can be claimed on it. */
    private final class Round {
        private final Opened opened;
        private final LeaseRequest request;
        private final int spread;
        private boolean overtaken;
        private boolean registryChanged;
        private @Nullable NotGrantableYetException early;

        Round(Opened opened, LeaseRequest request, int spread) {
            this.opened = opened;
            this.request = request;
            this.spread = spread;
        }

        /** A grant, or null when others were faster. */
        @Nullable
        HeldBound run() {
            refuseIfNothingIsGrantable(opened, request);
            Candidates candidates = store.candidates(opened.view(), request.node());
            int tried = 0;
            for (int worker : candidates.own()) {
                if (opened.registry().range().contains(worker) && tried++ < OWN_SLOTS_TRIED) {
                    HeldBound own = takeUnlessEarly(candidates, worker);
                    if (own != null || overtaken) {
                        return own;
                    }
                }
            }
            for (int i = 0; i < NEVER_USED_TRIED; i++) {
                Optional<StoredSlot> neverUsed = candidates.nextNeverUsed();
                if (neverUsed.isEmpty()) {
                    return reuse(candidates);
                }
                HeldBound fresh = take(neverUsed.get());
                if (fresh != null || registryChanged) {
                    return fresh;
                }
                // Another node was given the same number and was faster.
            }
            return null;
        }

        private @Nullable HeldBound reuse(Candidates candidates) {
            List<SlotBound> bounds = candidates.bounds(BOUNDS_READ);
            List<SlotBound> free = new ArrayList<>();
            long skewMillis = opened.registry().skewMillis();
            for (SlotBound bound : bounds) {
                if (bound.released() || opened.now() >= bound.until() + skewMillis) {
                    free.add(bound);
                }
            }
            while (!free.isEmpty()) {
                SlotBound candidate = free.remove(random.nextInt(Math.min(spread, free.size())));
                HeldBound granted = takeUnlessEarly(candidates, candidate.worker());
                if (granted != null || overtaken) {
                    return granted;
                }
            }
            NotGrantableYetException refusal = early;
            throw refusal == null ? noneFree(bounds, skewMillis) : refusal;
        }

        private NoFreeWorkerException noneFree(List<SlotBound> bounds, long skewMillis) {
            long next = Long.MAX_VALUE;
            for (SlotBound bound : bounds) {
                if (!bound.released()) {
                    next = Math.min(next, bound.until() + skewMillis);
                }
            }
            int held = (int) Math.max(
                    bounds.stream().filter(bound -> !bound.released()).count(),
                    bounds.size() >= BOUNDS_READ ? opened.registry().range().size() : 0);
            return new NoFreeWorkerException(
                    opened.registry().range(),
                    held,
                    Instant.ofEpochMilli(next == Long.MAX_VALUE ? opened.now() : Math.max(next, opened.now())));
        }

        /**
         * As {@link #take(Candidates, int)}; a slot whose first timestamp lies too far ahead counts as held: others can
         * be had.
         */
        private @Nullable HeldBound takeUnlessEarly(Candidates candidates, int worker) {
            try {
                return take(candidates, worker);
            } catch (NotGrantableYetException e) {
                early = e;
                return null;
            }
        }

        /** As {@link #take(StoredSlot)}; one that can't be read counts as held: others can still be had. */
        private @Nullable HeldBound take(Candidates candidates, int worker) {
            StoredSlot slot;
            try {
                slot = candidates.read(worker);
            } catch (MalformedRecordException e) {
                LOG.warn("worker {} can't be leased until an operator has put its record right", worker, e);
                return null;
            }
            return take(slot);
        }

        /** Null when the slot is held, or ({@code overtaken}) when it changed since it was read. */
        private @Nullable HeldBound take(StoredSlot slot) {
            ClaimDecision decision = opened.rules()
                    .claim(opened.registry(), slot.worker(), slot.record(), request, opened.now(), opened.local());
            if (decision instanceof ClaimDecision.TooEarly early) {
                throw tooEarly(opened, early);
            }
            if (!(decision instanceof ClaimDecision.Grant grant)) {
                return null;
            }
            SlotRecord next = grant.next();
            HeldBound bound = next.heldIn(opened.registry().registryId());
            try {
                WriteResult result = exchange.write(opened.view(), slot, next, Long.MAX_VALUE);
                overtaken = result != WriteResult.WRITTEN;
                registryChanged = result == WriteResult.REGISTRY_CHANGED;
                return overtaken ? null : bound;
            } catch (StoreUnavailableException unclear) {
                orphans.add(bound, next, slot.record());
                throw unclear;
            }
        }
    }
}
