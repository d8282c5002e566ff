package io.snowlease.generator;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text forms of a {@link Layout}. */
final class LayoutSpec {
    private static final Pattern BITS = Pattern.compile("(\\d{1,3})/(\\d{1,3})/(\\d{1,3})(?:\\+(\\d{1,3}))?");
    private static final Pattern TICK = Pattern.compile("(\\d{1,15})(ms|s)");

    private LayoutSpec() {}

    static Layout parse(String text) {
        String[] parts = text.strip().toLowerCase(Locale.ROOT).split(",", -1);
        Layout preset = presets().get(parts[0].strip().replace('_', '-'));
        if (preset != null) {
            if (parts.length > 1) {
                throw unreadable("a preset takes no options, write its bits out instead", preset.spec(), text);
            }
            return preset;
        }
        LayoutBuilder builder = bits(parts[0].strip(), text);
        for (int i = 1; i < parts.length; i++) {
            option(builder, parts[i].strip(), text);
        }
        return builder.build();
    }

    static String format(Layout layout) {
        return layout.timestampBits() + "/" + layout.workerBits() + "/" + layout.sequenceBits()
                + (layout.shardBits() > 0 ? "+" + layout.shardBits() : "")
                + ",tick=" + formatTick(layout.tickMillis())
                + ",epoch=" + Instant.ofEpochMilli(layout.epochMillis())
                + (layout.workerFirst() ? ",worker-first" : "");
    }

    static String formatTick(long tickMillis) {
        return tickMillis % 1_000 == 0 ? tickMillis / 1_000 + "s" : tickMillis + "ms";
    }

    private static Map<String, Layout> presets() {
        return new TreeMap<>(Map.of(
                "classic", Layout.CLASSIC,
                "seconds", Layout.SECONDS,
                "worker-first", Layout.WORKER_FIRST,
                "sharded", Layout.SHARDED,
                "js-safe", Layout.JS_SAFE,
                "leaf", Layout.LEAF,
                "cosid", Layout.COSID,
                "seata", Layout.SEATA,
                "uid", Layout.UID));
    }

    private static LayoutBuilder bits(String part, String text) {
        Matcher bits = BITS.matcher(part);
        if (!bits.matches()) {
            throw unreadable(
                    "layout must start with a preset ("
                            + String.join(", ", presets().keySet()) + ") or with bits",
                    "41/10/12 or 29/10/14+10",
                    text);
        }
        LayoutBuilder builder = Layout.builder()
                .bits(
                        Integer.parseInt(bits.group(1)),
                        Integer.parseInt(bits.group(2)),
                        Integer.parseInt(bits.group(3)));
        return bits.group(4) == null ? builder : builder.shardBits(Integer.parseInt(bits.group(4)));
    }

    private static void option(LayoutBuilder builder, String part, String text) {
        if (part.equals("worker-first") || part.equals("worker_first")) {
            builder.workerFirst(true);
        } else if (part.startsWith("tick=")) {
            builder.tickMillis(tickMillis(part.substring("tick=".length()), text));
        } else if (part.startsWith("epoch=")) {
            builder.epoch(epoch(part.substring("epoch=".length()), text));
        } else {
            throw unreadable("layout options must be tick=, epoch= or worker-first", "tick=1ms", text);
        }
    }

    private static long tickMillis(String value, String text) {
        Matcher tick = TICK.matcher(value);
        if (!tick.matches()) {
            throw unreadable("tick must be a number of ms or s", "tick=10ms or tick=1s", text);
        }
        return Long.parseLong(tick.group(1)) * (tick.group(2).equals("s") ? 1_000 : 1);
    }

    private static Instant epoch(String value, String text) {
        try {
            return Instant.parse(value.toUpperCase(Locale.ROOT));
        } catch (DateTimeException e) {
            throw (IllegalArgumentException)
                    unreadable("epoch must be an instant in UTC", "epoch=2025-01-01T00:00:00Z", text)
                            .initCause(e);
        }
    }

    private static IllegalArgumentException unreadable(String rule, String example, String text) {
        return new IllegalArgumentException(rule + ", such as " + example + ": layout=" + text);
    }
}
