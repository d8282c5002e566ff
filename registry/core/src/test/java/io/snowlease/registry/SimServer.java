package io.snowlease.registry;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One simulated coordinator server: its data, its clock, and who it says it is. */
final class SimServer {
    final int index;
    long runId;
    long dataSetId;
    long offsetMillis;

    @Nullable
    RegistryRecord registry;

    final TreeMap<Integer, SlotRecord> slots = new TreeMap<>();
    private final SimWorld world;

    SimServer(SimWorld world, int index) {
        this.world = world;
        this.index = index;
    }

    long now() {
        return world.trueMillis() + offsetMillis;
    }

    String identity() {
        return world.rules().identityHasDataSet() ? runId + ":" + dataSetId : "" + runId;
    }

    void copyFrom(SimServer primary) {
        registry = primary.registry;
        slots.clear();
        slots.putAll(primary.slots);
    }

    /** The data of now, to be put back by an operator: who the server says it is does not change by that. */
    Runnable backUp() {
        RegistryRecord kept = registry;
        Map<Integer, SlotRecord> keptSlots = Map.copyOf(slots);
        return () -> {
            registry = kept;
            slots.clear();
            slots.putAll(keptSlots);
        };
    }

    RegistryView view() {
        return new RegistryView(registry, now(), identity(), null);
    }

    boolean create(RegistryRecord made) {
        if (registry != null) {
            return registry.equals(made);
        }
        registry = made;
        return true;
    }

    boolean replace(RegistryView seen, RegistryRecord next) {
        if (!Objects.equals(registry, seen.record()) || !identity().equals(seen.serverIdentity())) {
            return next.equals(registry);
        }
        registry = next;
        return true;
    }

    WriteResult write(RegistryView plannedOn, StoredSlot expected, SlotRecord next, long beforeMillis) {
        RegistryRecord present = registry;
        RegistryRecord planned = Objects.requireNonNull(plannedOn.record());
        if (present == null
                || !present.registryId().equals(planned.registryId())
                || !isAsPlanned(plannedOn, present, planned)) {
            return WriteResult.REGISTRY_CHANGED;
        }
        SlotRecord current = slots.get(next.worker());
        if (next.equals(current)) {
            return WriteResult.WRITTEN;
        }
        if (now() >= beforeMillis) {
            return WriteResult.TOO_LATE;
        }
        if (!matches(current, expected.record())) {
            return WriteResult.SLOT_CHANGED;
        }
        slots.put(next.worker(), next);
        world.checker().written(current, next, world.rules().comparesWholeRecord());
        return WriteResult.WRITTEN;
    }

    private boolean isAsPlanned(RegistryView plannedOn, RegistryRecord present, RegistryRecord planned) {
        SimRules rules = world.rules();
        return (!rules.rechecksIdentity() || identity().equals(plannedOn.serverIdentity()))
                && (!rules.rechecksQuarantine() || present.quarantineUntil() == planned.quarantineUntil());
    }

    private boolean matches(@Nullable SlotRecord current, @Nullable SlotRecord expected) {
        if (world.rules().comparesWholeRecord() || current == null || expected == null) {
            return Objects.equals(current, expected);
        }
        return current.isLeaseOf(expected.token(), expected.epoch());
    }
}
