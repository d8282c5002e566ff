package io.snowlease.registry;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;

/**
 * One worker id of a registry, for people and tools: without the token. All times are ms since 1970 UTC by the
 * coordinator's clock.
 *
 * @param worker worker id
 * @param state how it stands
 * @param node the holder's name
 * @param epoch fencing epoch
 * @param floor first timestamp of the lease
 * @param until bound, exclusive
 * @param last last timestamp reported, exact when {@code RELEASED}; below {@code floor} when none was issued
 * @param claimedAt when it was leased
 * @param renewedAt when it was last renewed
 */
public record SlotInfo(
        int worker,
        SlotStatus state,
        String node,
        long epoch,
        long floor,
        long until,
        long last,
        long claimedAt,
        long renewedAt) {

    static SlotInfo of(SlotRecord slot, RegistryRecord registry, long now) {
        return new SlotInfo(
                slot.worker(),
                status(slot, registry, now),
                slot.node(),
                slot.epoch(),
                slot.floor(),
                slot.until(),
                slot.last(),
                slot.claimedAt(),
                slot.renewedAt());
    }

    private static SlotStatus status(SlotRecord slot, RegistryRecord registry, long now) {
        if (slot.state() == SlotState.RELEASED) {
            return SlotStatus.RELEASED;
        }
        if (now >= slot.until() + registry.skewMillis()) {
            return SlotStatus.FREE;
        }
        if (slot.state() == SlotState.EVICTED) {
            return SlotStatus.EVICTED;
        }
        if (now >= slot.until()) {
            return SlotStatus.EXPIRING;
        }
        return now - slot.renewedAt() > registry.leaseMillis() / 2 ? SlotStatus.DEGRADED : SlotStatus.HELD;
    }
}
