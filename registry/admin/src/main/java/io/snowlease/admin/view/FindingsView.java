package io.snowlease.admin.view;

import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.Finding.Level;
import java.util.List;
import java.util.Locale;

/** What {@code doctor} found, for people and as JSON. */
public final class FindingsView {
    private FindingsView() {}

    /** The worst of them; all is well where there is none. */
    public static Level worst(List<Finding> findings) {
        return findings.stream().map(Finding::level).max(Level::compareTo).orElse(Level.OK);
    }

    /** A line each: {@code warning  durability: one server, without a copy of its data: use an ensemble of three}. */
    public static List<String> lines(List<Finding> findings) {
        return findings.stream()
                .map(finding -> String.format(Locale.ROOT, "%-7s", word(finding.level())) + "  " + finding.check()
                        + ": " + finding.found() + (finding.advice().isEmpty() ? "" : ": " + finding.advice()))
                .map(line -> line.replaceAll("\\s*\\R\\s*", " "))
                .toList();
    }

    /** One compact object. */
    public static String json(String namespace, List<Finding> findings) {
        return JsonText.of(json -> {
            json.writeStartObject();
            json.writeStringField("namespace", namespace);
            json.writeStringField("worst", word(worst(findings)));
            json.writeArrayFieldStart("findings");
            for (Finding finding : findings) {
                json.writeStartObject();
                json.writeStringField("check", finding.check());
                json.writeStringField("level", word(finding.level()));
                json.writeStringField("found", finding.found());
                if (!finding.advice().isEmpty()) {
                    json.writeStringField("advice", finding.advice());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static String word(Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
