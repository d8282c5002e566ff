package io.snowlease.registry;

import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** There is no holder to take this worker id from; nothing was changed. */
public final class WorkerNotHeldException extends RegistryException {
    private static final long serialVersionUID = 1L;

    private WorkerNotHeldException(int worker, String why) {
        super("worker " + worker + " " + why + "; nothing was changed, see 'leases' for those that are held", null);
    }

    static WorkerNotHeldException of(int worker, @Nullable SlotRecord slot, RegistryRecord registry) {
        return new WorkerNotHeldException(worker, "is not held: " + standing(slot, registry));
    }

    static WorkerNotHeldException changedHands(SlotInfo before, SlotRecord after) {
        return new WorkerNotHeldException(
                before.worker(),
                "changed hands before it was evicted: " + holder(before.node(), before.epoch()) + " had it, "
                        + holder(after) + " has it");
    }

    private static String standing(@Nullable SlotRecord slot, RegistryRecord registry) {
        if (slot == null) {
            return "it was never leased";
        }
        Instant freeAt = Instant.ofEpochMilli(LeaseRules.freeAt(registry, slot.until()));
        return switch (slot.state()) {
            case RELEASED -> holder(slot) + " gave it back, it can be leased";
            case EVICTED -> holder(slot) + " was evicted before, it is free from " + freeAt + " on";
            case HELD -> "the lease of " + holder(slot) + " ran out, it is free since " + freeAt;
        };
    }

    private static String holder(SlotRecord slot) {
        return holder(slot.node(), slot.epoch());
    }

    private static String holder(String node, long epoch) {
        return node + " (epoch " + epoch + ")";
    }
}
