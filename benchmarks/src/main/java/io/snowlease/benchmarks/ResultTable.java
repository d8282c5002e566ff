package io.snowlease.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was measured, beside the bars that it must reach. */
final class ResultTable {
    private static final double CLASSIC_IDS_PER_MILLI = 4_096;
    private static final double CLASSIC_BAR = 0.99;
    private static final double WIDE_BAR = 0.95;
    /** The profiler counts the harness's own few bytes in. */
    private static final double NO_BYTES = 0.01;

    private final List<Measured> measured;

    ResultTable(List<Measured> measured) {
        this.measured = List.copyOf(measured);
    }

    String toMarkdown() {
        StringBuilder table = new StringBuilder()
                .append("| generator | sequence bits | threads | ids/ms | ± | B/id | of 4,096 ids/ms | of Agrona |\n")
                .append("|---|---|---|---|---|---|---|---|\n");
        for (Measured each : measured) {
            boolean classic = each.method().startsWith("classic");
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %,.1f | %,.1f | %.3f | %s | %.3f |%n",
                    each.method().endsWith("Agrona") ? "Agrona" : "Snowlease",
                    classic ? 12 : 20,
                    each.threads(),
                    each.idsPerMilli(),
                    each.error(),
                    each.bytesPerId(),
                    classic ? String.format(Locale.ROOT, "%.2f %%", 100 * ofLimit(each)) : "",
                    ofAgrona(each)));
        }
        table.append("\n| bar | measured | |\n|---|---|---|\n");
        for (Bar bar : bars()) {
            table.append("| ")
                    .append(bar.rule())
                    .append(" | ")
                    .append(bar.value())
                    .append(bar.met() ? " | met |\n" : " | MISSED |\n");
        }
        return table.toString();
    }

    boolean allBarsMet() {
        return bars().stream().allMatch(Bar::met);
    }

    private List<Bar> bars() {
        List<Bar> bars = new ArrayList<>();
        for (int threads = 1; threads <= 2; threads++) {
            double ofLimit = ofLimit(find("classic", threads));
            bars.add(new Bar(
                    "12 bits, " + threads + " thread(s): at least 99 % of 4,096 ids/ms",
                    String.format(Locale.ROOT, "%.2f %%", 100 * ofLimit),
                    ofLimit >= CLASSIC_BAR));
        }
        double ofAgrona = ofAgrona(find("wide", 1));
        bars.add(new Bar(
                "20 bits, 1 thread: at least 0.95 × Agrona",
                String.format(Locale.ROOT, "%.3f", ofAgrona),
                ofAgrona >= WIDE_BAR));
        double bytes = measured.stream()
                .filter(each -> !each.method().endsWith("Agrona"))
                .mapToDouble(Measured::bytesPerId)
                .max()
                .orElse(Double.NaN);
        bars.add(new Bar("no allocation: 0 B/id", String.format(Locale.ROOT, "%.3f", bytes), bytes < NO_BYTES));
        return bars;
    }

    private static double ofLimit(Measured each) {
        return each.idsPerMilli() / CLASSIC_IDS_PER_MILLI;
    }

    private double ofAgrona(Measured each) {
        String method = each.method().endsWith("Agrona") ? each.method() : each.method() + "Agrona";
        return each.idsPerMilli() / find(method, each.threads()).idsPerMilli();
    }

    private Measured find(String method, int threads) {
        return measured.stream()
                .filter(each -> each.method().equals(method) && each.threads() == threads)
                .findFirst()
                .orElseThrow();
    }

    private record Bar(String rule, String value, boolean met) {}
}
