package io.snowlease.registry.contract;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.util.UUID;

/** Records to write in tests of stores, and the steps that most of those tests begin with. */
public final class StoreSamples {
    /** Some instant that bounds are counted from. */
    public static final long T = 1_800_000_000_000L;

    private StoreSamples() {}

    /** A registry of this range, with a random id. */
    public static RegistryRecord registry(LeaseStore store, int firstWorker, int lastWorker) {
        RegistryView view = store.view();
        return new RegistryRecord(
                UUID.randomUUID().toString(),
                "41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z",
                60_000,
                5_000,
                store.lagMillis(),
                firstWorker,
                lastWorker,
                view.now(),
                view.serverIdentity(),
                0,
                0);
    }

    /** Makes a registry of this range and looks at it. */
    public static RegistryView makeRegistry(LeaseStore store, int firstWorker, int lastWorker) {
        if (!store.create(registry(store, firstWorker, lastWorker))) {
            throw new AssertionError("there is a registry already: " + store.view());
        }
        return store.view();
    }

    /** The same registry with another quarantine. */
    public static RegistryRecord quarantined(RegistryRecord registry, long until) {
        return new RegistryRecord(
                registry.registryId(),
                registry.layout(),
                registry.leaseMillis(),
                registry.skewMillis(),
                registry.lagMillis(),
                registry.firstWorker(),
                registry.lastWorker(),
                registry.createdAt(),
                registry.serverIdentity(),
                until,
                registry.floor());
    }

    /** A first lease of {@code worker}. */
    public static SlotRecord held(int worker, String node, long until) {
        return new SlotRecord(worker, 1, node, token(), SlotState.HELD, T, until, T - 1, T, T);
    }

    /** The lease after {@code previous}. */
    public static SlotRecord taken(SlotRecord previous, String node, long until) {
        return new SlotRecord(
                previous.worker(),
                previous.epoch() + 1,
                node,
                token(),
                SlotState.HELD,
                previous.until(),
                until,
                previous.until() - 1,
                previous.claimedAt() + 1,
                previous.renewedAt() + 1);
    }

    /** {@code slot} with its bound moved to {@code until}. */
    public static SlotRecord renewed(SlotRecord slot, long until) {
        return with(slot, slot.state(), until);
    }

    /** {@code slot} given back at {@code until}. */
    public static SlotRecord released(SlotRecord slot, long until) {
        return with(slot, SlotState.RELEASED, until);
    }

    private static SlotRecord with(SlotRecord slot, SlotState state, long until) {
        return new SlotRecord(
                slot.worker(),
                slot.epoch(),
                slot.node(),
                slot.token(),
                state,
                slot.floor(),
                until,
                slot.last(),
                slot.claimedAt(),
                slot.renewedAt());
    }

    /** Claims a worker id that was never leased; returns the slot as read back. */
    public static StoredSlot claimNew(LeaseStore store, RegistryView view, String node, long until) {
        for (int attempt = 0; attempt < 10_000; attempt++) {
            StoredSlot free =
                    store.nextNeverUsed(view).orElseThrow(() -> new AssertionError("all worker ids are used"));
            if (store.write(view, free, held(free.worker(), node, until), Long.MAX_VALUE) == WriteResult.WRITTEN) {
                return store.read(free.worker());
            }
        }
        throw new AssertionError("no slot to be had");
    }

    /** The record of a slot that has one. */
    public static SlotRecord recordOf(StoredSlot slot) {
        SlotRecord record = slot.record();
        if (record == null) {
            throw new AssertionError("never leased: " + slot);
        }
        return record;
    }

    /** The registry of a view that has one. */
    public static RegistryRecord registryOf(RegistryView view) {
        RegistryRecord record = view.record();
        if (record == null) {
            throw new AssertionError("no registry: " + view);
        }
        return record;
    }

    private static String token() {
        return UUID.randomUUID().toString().replace("-", "");
    }
}
