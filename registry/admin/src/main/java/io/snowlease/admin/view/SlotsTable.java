package io.snowlease.admin.view;

import io.snowlease.registry.SlotInfo;
import java.util.ArrayList;
import java.util.List;

/** Slots as a table for people, times relative to the coordinator's. */
public final class SlotsTable {
    private static final List<String> HEAD = List.of("WORKER", "STATE", "NODE", "EPOCH", "UNTIL", "LAST ID", "RENEWED");

    private SlotsTable() {}

    /** Lines without line ends, the head first. */
    public static List<String> of(List<SlotInfo> slots, long now) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (SlotInfo slot : slots) {
            rows.add(List.of(
                    Integer.toString(slot.worker()),
                    slot.state().name(),
                    slot.node(),
                    Long.toString(slot.epoch()),
                    Instants.relative(slot.until(), now),
                    slot.last() < slot.floor() ? "none" : Instants.relative(slot.last(), now),
                    Instants.relative(slot.renewedAt(), now)));
        }
        return aligned(rows);
    }

    private static List<String> aligned(List<List<String>> rows) {
        int[] widths = new int[HEAD.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
