package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import io.snowlease.registry.RegistryAccess.Opened;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.LeaseRequest;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.RenewDecision;
import io.snowlease.registry.protocol.ResumeDecision;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The protocol over a store: each call is one exchange, read, plan, compare-and-set, and read back where the reply was
 * lost. Confined to one thread at a time by its callers.
 */
final class RegistryClient {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryClient.class);
    private static final int RELEASE_ROUNDS = 3;
    private static final int RESUME_ROUNDS = 16;

    private final LeaseStore store;
    private final RegistryAccess access;
    private final Exchange exchange;
    private final Orphans orphans;
    private final Claims claims;
    private final CapacityWarning capacity;
    private @Nullable Opened lastRenewedOn;
    private volatile long skewMillis;

    RegistryClient(
            LeaseStore store,
            RegistrySettings stated,
            Clocks clocks,
            Supplier<String> randomIds,
            RandomGenerator random,
            Function<Layout, LeaseRules> rulesOf) {
        this.store = store;
        this.access = new RegistryAccess(store, stated, clocks, randomIds, rulesOf);
        this.exchange = new Exchange(store);
        this.orphans = new Orphans(store, exchange);
        this.capacity = new CapacityWarning(store);
        this.claims = new Claims(store, access, exchange, orphans, randomIds, random);
    }

    /** What a renewal came to. */
    sealed interface Renewal {
        /** The bound moved; {@code held} says to where, {@code isFirst} whether for the first time. */
        record Extended(HeldBound held, boolean isFirst) implements Renewal {}

        /** The lease is over. */
        record Fenced(String reason) implements Renewal {}

        /** The store has lost it; a quarantine is set, the bound known so far still holds. */
        record Forgotten(String reason) implements Renewal {}
    }

    /** What came of going on with a lease that a journal proves. */
    sealed interface Resumption {
        /** It goes on as {@code held}. */
        record Resumed(HeldBound held) implements Resumption {}

        /** The journal proves nothing any more. */
        record NoProof(String reason) implements Resumption {}
    }

    /** See {@link RegistryAccess#namespaceWasUsed}. */
    void namespaceWasUsed() {
        access.namespaceWasUsed();
    }

    /** See {@link RegistryAccess#open}. */
    Opened open(Collection<HeldBound> held) {
        Opened opened = access.open(held);
        skewMillis = opened.look().skewMillis();
        return opened;
    }

    /** As {@link #open}, but refuses while no lease could be granted. */
    Opened openGrantable() {
        Opened opened = open(List.of());
        Claims.refuseIfNothingIsGrantable(opened, new LeaseRequest("", "", Long.MIN_VALUE));
        return opened;
    }

    /** See {@link Claims#claim}; first gives back what earlier claims may have been granted. */
    HeldBound claim(String node, long generatorFloor, Collection<HeldBound> held) {
        boolean unusedFree = releaseOrphans(held);
        return claims.claim(node, generatorFloor, held);
    }

    /**
     * Goes on with a lease that a journal proves.
     *
     * @param journalled what the journal holds; its floor is what the journal has reserved
     * @param resumeTokens tokens of resumes that may have been written, the request's among them
     * @throws StoreUnavailableException if there was no answer, or it stays unclear: it may have been written
     */
    Resumption resume(HeldBound journalled, Collection<String> resumeTokens, LeaseRequest request) {
        for (int round = 0; round < RESUME_ROUNDS; round++) {
            Opened opened = open(List.of(journalled));
            StoredSlot slot = store.read(journalled.worker());
            ResumeDecision decision = opened.rules()
                    .resume(
                            opened.registry(),
                            slot.record(),
                            journalled,
                            resumeTokens,
                            request,
                            opened.now(),
                            opened.local());
            if (decision instanceof ResumeDecision.Forgotten forgotten) {
                access.quarantineForgotten(opened, journalled);
                return new Resumption.NoProof(forgotten.reason());
            }
            if (decision instanceof ResumeDecision.NoProof noProof) {
                return new Resumption.NoProof(noProof.reason());
            }
            SlotRecord next = ((ResumeDecision.Grant) decision).next();
            long before = opened.rules().resumableBefore(journalled, Objects.requireNonNull(slot.record()));
            WriteResult result = exchange.write(opened.view(), slot, next, before);
            if (result == WriteResult.WRITTEN) {
                return new Resumption.Resumed(next.heldIn(journalled.registryId()));
            }
            if (result == WriteResult.TOO_LATE) {
                return new Resumption.NoProof(
                        "the lease of worker " + journalled.worker() + " ran out while it was being resumed");
            }
        }
        throw new StoreUnavailableException(
                "worker " + journalled.worker() + " on " + store.servers() + " changed " + RESUME_ROUNDS
                        + " times while it was being resumed",
                null);
    }

    /**
     * Moves the bound of {@code lease} ahead.
     *
     * @param last the generator's last timestamp
     * @param held leases of this process, {@code lease} among them
     * @throws StoreUnavailableException if there was no answer, or it stays unclear
     */
    Renewal renew(HeldBound lease, long last, Collection<HeldBound> held) {
        Opened opened = open(held);
        if (!orphans.isEmpty()) {
            orphans.release(opened);
        }
        StoredSlot slot = store.read(lease.worker());
        RenewDecision decision =
                opened.rules().renew(opened.registry(), slot.record(), lease, last, opened.now(), opened.local());
        if (decision instanceof RenewDecision.Fenced fenced) {
            return new Renewal.Fenced(fenced.reason());
        }
        if (decision instanceof RenewDecision.Forgotten forgotten) {
            if (forgotten.lostWrites()) {
                access.quarantineForgotten(opened, lease);
            }
            return new Renewal.Forgotten(forgotten.reason());
        }
        SlotRecord next = ((RenewDecision.Extend) decision).next();
        WriteResult result =
                exchange.write(opened.view(), slot, next, opened.rules().renewableBefore(lease));
        lastRenewedOn = opened;
        return switch (result) {
            case WRITTEN ->
                new Renewal.Extended(
                        new HeldBound(
                                lease.worker(),
                                lease.epoch(),
                                lease.token(),
                                lease.registryId(),
                                lease.floor(),
                                next.until()),
                        isFirstRenewal(slot));
            case TOO_LATE -> new Renewal.Fenced("the lease ran out while it was being renewed");
            case SLOT_CHANGED, REGISTRY_CHANGED ->
                throw new StoreUnavailableException(
                        "the record of worker " + lease.worker() + " changed during its renewal (" + result + ") on "
                                + store.servers(),
                        null);
        };
    }

    /** See {@link CapacityWarning}; what goes wrong here is no fault of the lease. */
    void warnIfNearlyFull() {
        Opened opened = lastRenewedOn;
        if (opened == null) {
            return;
        }
        try {
            capacity.check(opened);
        } catch (StoreUnavailableException | MalformedRecordException e) {
            LOG.debug("could not see how many worker ids are left", e);
        }
    }

    private static boolean isFirstRenewal(StoredSlot slot) {
        SlotRecord before = slot.record();
        return before != null && before.renewedAt() == before.claimedAt();
    }

    /**
     * Gives {@code lease} back; its generator must have been stopped before, at {@code last}.
     *
     * @return whether it was still held, and is free now
     */
    boolean release(HeldBound lease, long last, Collection<HeldBound> held) {
        for (int round = 0; round < RELEASE_ROUNDS; round++) {
            Opened opened = open(held);
            StoredSlot slot = store.read(lease.worker());
            SlotRecord next = opened.rules().release(slot.record(), lease, last, opened.now());
            if (next == null) {
                return false;
            }
            if (exchange.write(opened.view(), slot, next, Long.MAX_VALUE) == WriteResult.WRITTEN) {
                return true;
            }
        }
        return false;
    }

    /**
     * Gives back what was, or may yet be, granted to claims that were given up, see {@link Orphans}.
     *
     * @return whether nothing is left of that
     * @throws StoreUnavailableException if there was no answer, or it stays unclear
     */
    boolean releaseOrphans(Collection<HeldBound> held) {
        for (int round = 0; round < RELEASE_ROUNDS && !orphans.isEmpty(); round++) {
            orphans.release(open(held));
        }
        return orphans.isEmpty();
    }

    /** The registry record as last verified, or null before the first time. */
    @Nullable
    RegistryRecord registry() {
        return access.lastOpened();
    }

    /** Node's clock minus coordinator's at the last exchange, in ms, network delay included. */
    long skewMillis() {
        return skewMillis;
    }

    /** The coordinator's servers, for messages. */
    String servers() {
        return store.servers();
    }
}
