package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an operator may change: read, plan, compare-and-set, and read back where the reply was lost. A change that others
 * were faster than is planned anew, a bounded number of times.
 */
final class Operator {
    private static final int MAX_ROUNDS = 16;

    private final LeaseStore store;
    private final String namespace;
    private final Clocks clocks;
    private final Supplier<String> randomIds;
    private final Function<Layout, LeaseRules> rulesOf;
    private final Exchange exchange;

    Operator(
            LeaseStore store,
            String namespace,
            Clocks clocks,
            Supplier<String> randomIds,
            Function<Layout, LeaseRules> rulesOf) {
        this.store = store;
        this.namespace = namespace;
        this.clocks = clocks;
        this.randomIds = randomIds;
        this.rulesOf = rulesOf;
        this.exchange = new Exchange(store);
    }

    /**
     * See {@link RegistryAdmin#evict(int)}.
     *
     * @param shown the lease that is meant, or null for whichever there is
     * @throws StoreUnavailableException if the coordinator does not answer, and nothing was changed
     */
    SlotInfo evict(int worker, @Nullable SlotInfo shown) {
        SlotInfo meant = shown;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Look look = Look.at(store, clocks);
            RegistryView view = look.view();
            RegistryRecord registry = found(view);
            LeaseRules rules = rulesOf.apply(registry.parsedLayout());
            if (rules.isOtherServer(registry, view.serverIdentity())) {
                // No change is planned on records that may be outdated before a quarantine has been set.
                raise(look, registry, rules);
                continue;
            }
            if (!registry.range().contains(worker)) {
                throw new NoSuchWorkerException(worker, namespace, registry.range());
            }
            StoredSlot slot = store.read(worker);
            SlotRecord present = slot.record();
            SlotRecord next = rules.evict(registry, present, randomIds.get(), view.now());
            if (present == null || next == null) {
                throw WorkerNotHeldException.of(worker, present, registry);
            }
            if (meant != null && (present.epoch() != meant.epoch() || present.claimedAt() != meant.claimedAt())) {
                throw WorkerNotHeldException.changedHands(meant, present);
            }
            meant = SlotInfo.of(present, registry, view.now());
            if (write(view, slot, next) == WriteResult.WRITTEN) {
                return SlotInfo.of(next, registry, view.now());
            }
        }
        throw new RegistryContendedException("the record of worker " + worker, MAX_ROUNDS, store.servers());
    }

    private WriteResult write(RegistryView view, StoredSlot slot, SlotRecord next) {
        try {
            return exchange.write(view, slot, next, Long.MAX_VALUE);
        } catch (StoreUnavailableException unclear) {
            throw new OutcomeUnclearException(
                    "worker " + next.worker() + " was evicted",
                    store.servers(),
                    "look with 'leases', and evict it again if it is still held",
                    unclear);
        }
    }

    /**
     * See {@link RegistryAdmin#quarantine}.
     *
     * @throws StoreUnavailableException if the coordinator does not answer, and nothing was changed
     */
    RegistryRecord quarantine() {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Look look = Look.at(store, clocks);
            RegistryRecord registry = found(look.view());
            RegistryRecord raised = raise(look, registry, rulesOf.apply(registry.parsedLayout()));
            if (raised != null) {
                return raised;
            }
        }
        throw new RegistryContendedException("the registry record", MAX_ROUNDS, store.servers());
    }

    /** The quarantine as it is now, or null when the record was changed by others. */
    private @Nullable RegistryRecord raise(Look look, RegistryRecord registry, LeaseRules rules) {
        RegistryView view = look.view();
        look.requireAgreement(rules, registry.skewMillis());
        RegistryRecord next = rules.quarantined(registry, view.serverIdentity(), view.now(), 0);
        if (next.equals(registry)) {
            return registry;
        }
        try {
            return store.replace(view, next) ? next : null;
        } catch (StoreUnavailableException lost) {
            return next.equals(readBack(lost, registry)) ? next : null;
        }
    }

    /** The record as it is after a reply was lost; still the one before, the write may yet happen. */
    private @Nullable RegistryRecord readBack(StoreUnavailableException lost, RegistryRecord before) {
        RegistryRecord present = before;
        try {
            present = store.view().record();
        } catch (StoreUnavailableException alsoLost) {
            lost.addSuppressed(alsoLost);
        }
        if (before.equals(present)) {
            throw new OutcomeUnclearException(
                    "the quarantine was set",
                    store.servers(),
                    "set it again before any node connects; it never falls, twice does no harm",
                    lost);
        }
        return present;
    }

    private RegistryRecord found(RegistryView view) {
        RegistryRecord registry = view.record();
        if (registry == null) {
            throw new RegistryNotFoundException(store.servers(), namespace);
        }
        return registry;
    }
}
