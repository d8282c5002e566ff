package io.snowlease.registry;

import io.snowlease.registry.protocol.RegistryRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A registry and its coordinator as an operator wants to see them. All times are ms since 1970 UTC.
 *
 * @param servers the coordinator's servers
 * @param roundTripMillis the shortest of a few answers, in ms, the connection being there
 * @param clock the two clocks, or null where nothing of Snowlease is on the coordinator yet: its time can't be had
 *     without a change to it
 * @param registry the registry record, or null if there is none
 * @param otherServer whether the server that answers is not the one that the registry's writes were acknowledged by: the
 *     next node that connects sets a quarantine
 * @param neverUsed whether there is no registry, and the store knows that there never was one: a new one is usable at
 *     once
 * @param slots all slots by worker id; none if there is no registry
 */
public record Examination(
        String servers,
        long roundTripMillis,
        @Nullable Clock clock,
        @Nullable RegistryRecord registry,
        boolean otherServer,
        boolean neverUsed,
        List<SlotInfo> slots) {

    /** Copies the slots. */
    public Examination {
        slots = List.copyOf(slots);
    }

    /**
     * The coordinator's time, and by how much this node's may differ from it: the coordinator read its clock at some
     * moment between question and answer.
     *
     * @param coordinatorMillis coordinator's time
     * @param leastSkewMillis node's minus coordinator's: the least difference that the readings allow, 0 if they may
     *     agree
     * @param mostSkewMillis the largest
     */
    public record Clock(long coordinatorMillis, long leastSkewMillis, long mostSkewMillis) {
        static Clock of(Look look) {
            return new Clock(look.view().now(), look.skewMillis(), look.mostSkewMillis());
        }
    }
}
