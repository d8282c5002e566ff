package io.snowlease.admin.view;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** Times as text. */
public final class Instants {
    private static final DateTimeFormatter ISO_MILLIS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private Instants() {}

    /** ISO-8601 in UTC, always with three digits of ms: {@code 2026-01-02T03:04:05.000Z}. */
    public static String iso(long millis) {
        return ISO_MILLIS.format(Instant.ofEpochMilli(millis));
    }

    /** How far {@code millis} is from {@code now}, in its largest whole unit: {@code in 52 s}, {@code 3 min ago}. */
    public static String relative(long millis, long now) {
        long distance = Math.abs(millis - now);
        if (distance < SECOND) {
            return "now";
        }
        return millis > now ? "in " + span(distance) : span(distance) + " ago";
    }

    /** A span in its largest whole unit, rounded down: {@code 850 ms}, {@code 52 s}, {@code 3 min}. */
    public static String span(long millis) {
        if (millis < SECOND) {
            return millis + " ms";
        }
        if (millis < 2 * MINUTE) {
            return millis / SECOND + " s";
        }
        if (millis < 2 * HOUR) {
            return millis / MINUTE + " min";
        }
        return millis < 2 * DAY ? millis / HOUR + " h" : millis / DAY + " d";
    }
}
