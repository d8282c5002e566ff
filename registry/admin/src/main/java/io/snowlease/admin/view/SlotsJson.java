package io.snowlease.admin.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.snowlease.registry.SlotInfo;
import java.io.IOException;
import java.util.List;

/** Slots as a JSON array: what {@code leases --json} prints and {@code GET /v1/workers} answers. Never the token. */
public final class SlotsJson {
    private SlotsJson() {}

    /** One line, in the order given. */
    public static String of(List<SlotInfo> slots) {
        return JsonText.of(json -> {
            json.writeStartArray();
            for (SlotInfo slot : slots) {
                write(slot, json);
            }
            json.writeEndArray();
        });
    }

    private static void write(SlotInfo slot, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("worker", slot.worker());
        json.writeStringField("state", slot.state().name());
        json.writeStringField("node", slot.node());
        json.writeNumberField("epoch", slot.epoch());
        json.writeStringField("until", Instants.iso(slot.until()));
        if (slot.last() < slot.floor()) {
            json.writeNullField("last"); // no id yet
        } else {
            json.writeStringField("last", Instants.iso(slot.last()));
        }
        json.writeStringField("renewedAt", Instants.iso(slot.renewedAt()));
        json.writeEndObject();
    }
}
