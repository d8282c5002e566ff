package io.snowlease.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What all trials of a run have shown, as {@code report.md} and {@code report.json}; written anew after each trial. */
final class Report {
    private static final List<Row> ROWS = new ArrayList<>();
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Report() {}

    /**
     * One trial.
     *
     * @param fault what was done
     * @param topology to nodes of which coordinator, or to itself
     * @param isPromised whether nothing may be wrong; else it is measured
     * @param ids how many were held against each other
     * @param duplicates how many came twice
     * @param violations all that was wrong, duplicates among it
     * @param handovers how often a worker id went from one process to another
     * @param smallestGapMillis least distance of timestamps at a handover; null without one
     * @param longestRefusalMillis longest time for which a node gave no id
     * @param toServiceMillis from the end of the fault to ids of every node again
     */
    record Row(
            String fault,
            String topology,
            boolean isPromised,
            int ids,
            long duplicates,
            List<String> violations,
            int handovers,
            @Nullable Long smallestGapMillis,
            long longestRefusalMillis,
            long toServiceMillis) {}

    static synchronized void add(Row row) {
        ROWS.add(row);
        try {
            Files.writeString(Engine.folder().resolve("report.json"), JSON.writeValueAsString(ROWS));
            Files.writeString(Engine.folder().resolve("report.md"), markdown());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String markdown() {
        StringBuilder text = new StringBuilder("""
                | fault | topology | promised | ids | duplicates | other violations | handovers | smallest gap, ms | longest refusal, ms | to service, ms |
                |---|---|---|---|---|---|---|---|---|---|
                """);
        for (Row row : ROWS) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %d | %d | %d | %d | %s | %d | %d |%n",
                    row.fault,
                    row.topology,
                    row.isPromised ? "yes" : "not promised",
                    row.ids,
                    row.duplicates,
                    row.violations.size() - row.duplicates,
                    row.handovers,
                    row.smallestGapMillis == null ? "" : row.smallestGapMillis,
                    row.longestRefusalMillis,
                    row.toServiceMillis));
        }
        return text.toString();
    }
}
