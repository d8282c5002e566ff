package io.snowlease.admin.doctor;

import io.snowlease.admin.view.Instants;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.SlotStatus;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.spi.Finding;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many worker ids are left, and who shares a name. */
final class SlotChecks {
    private static final String SLOTS = "slots";
    private static final String NAMES = "names";
    private static final String MAKE_ROOM = "stop nodes that are not needed, or move to a layout with more worker bits";
    private static final int SHOWN = 3;
    private static final Set<SlotStatus> CAN_BE_TAKEN = EnumSet.of(SlotStatus.FREE, SlotStatus.RELEASED);
    private static final Set<SlotStatus> RENEWED = EnumSet.of(SlotStatus.HELD, SlotStatus.DEGRADED);

    private SlotChecks() {}

    static List<Finding> of(List<SlotInfo> slots, RegistryRecord registry, long now) {
        return List.of(left(slots, registry, now), names(slots));
    }

    private static Finding left(List<SlotInfo> slots, RegistryRecord registry, long now) {
        List<SlotInfo> held = slots.stream()
                .filter(slot -> !CAN_BE_TAKEN.contains(slot.state()))
                .toList();
        int all = registry.range().size();
        String found = held.size() + " of " + all + " worker ids (" + registry.range() + ") are held";
        if (held.size() >= all) {
            long next = held.stream().mapToLong(SlotInfo::until).min().orElse(now);
            long freeAt = LeaseRules.freeAt(registry, next);
            return Finding.failure(
                    SLOTS,
                    found + ", the next one expires at " + Instants.iso(freeAt) + " unless it is renewed",
                    MAKE_ROOM);
        }
        return LeaseRules.isRunningOut(held.size(), all)
                ? Finding.warning(SLOTS, found, MAKE_ROOM)
                : Finding.ok(SLOTS, found);
    }

    private static Finding names(List<SlotInfo> slots) {
        Map<String, List<SlotInfo>> byName = slots.stream()
                .filter(slot -> RENEWED.contains(slot.state()))
                .collect(Collectors.groupingBy(SlotInfo::node, TreeMap::new, Collectors.toList()));
        List<String> shared = byName.entrySet().stream()
                .filter(name -> name.getValue().size() > 1)
                .map(name -> name.getKey() + " (workers " + workers(name.getValue()) + ")")
                .toList();
        if (shared.isEmpty()) {
            return Finding.ok(NAMES, "no two held worker ids have one node name");
        }
        return Finding.warning(
                NAMES,
                "held more than once: " + firstOf(shared, "; "),
                "harmless if one process has several generators; else nodes run with a copied --node or host name, and"
                        + " may swap worker ids when they start again");
    }

    private static String workers(List<SlotInfo> slots) {
        return firstOf(
                slots.stream().map(slot -> Integer.toString(slot.worker())).toList(), ", ");
    }

    private static String firstOf(List<String> all, String separator) {
        String first = all.stream().limit(SHOWN).collect(Collectors.joining(separator));
        return all.size() <= SHOWN ? first : first + separator + (all.size() - SHOWN) + " more";
    }
}
