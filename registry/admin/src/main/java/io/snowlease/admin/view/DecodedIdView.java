package io.snowlease.admin.view;

import io.snowlease.generator.DecodedId;
import io.snowlease.generator.Layout;
import java.util.ArrayList;
import java.util.List;

/** The parts of an id, as JSON and for people. The shard shows only in layouts that have one. */
public final class DecodedIdView {
    private DecodedIdView() {}

    /** One compact object; the id is a string, as JavaScript's numbers hold 53 bits. */
    public static String json(Layout layout, long id) {
        DecodedId parts = layout.decode(id);
        return JsonText.of(json -> {
            json.writeStartObject();
            json.writeStringField("id", Long.toString(id));
            json.writeStringField("timestamp", Instants.iso(parts.timestampMillis()));
            json.writeNumberField("worker", parts.worker());
            json.writeNumberField("sequence", parts.sequence());
            if (layout.shardBits() > 0) {
                json.writeNumberField("shard", parts.shard());
            }
            json.writeEndObject();
        });
    }

    /** A line for each part. */
    public static List<String> lines(Layout layout, long id) {
        DecodedId parts = layout.decode(id);
        List<String> lines = new ArrayList<>(List.of(
                "id         " + id,
                "timestamp  " + Instants.iso(parts.timestampMillis()),
                "worker     " + parts.worker(),
                "sequence   " + parts.sequence()));
        if (layout.shardBits() > 0) {
            lines.add("shard      " + parts.shard());
        }
        return lines;
    }
}
