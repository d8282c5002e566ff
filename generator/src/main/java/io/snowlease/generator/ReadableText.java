package io.snowlease.generator;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ids as time, worker, sequence and shard. The time always has its ms, so that it is exact for ticks of any length and
 * epochs off the second.
 */
final class ReadableText {
    static final String EXAMPLE = "20261130T154012.345Z-7-42";
    private static final String SHARDED_EXAMPLE = "20261130T154012.000Z-7-42-5";

    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR, 4, 9, SignStyle.NOT_NEGATIVE)
            .appendValue(ChronoField.MONTH_OF_YEAR, 2)
            .appendValue(ChronoField.DAY_OF_MONTH, 2)
            .appendLiteral('T')
            .appendValue(ChronoField.HOUR_OF_DAY, 2)
            .appendValue(ChronoField.MINUTE_OF_HOUR, 2)
            .appendValue(ChronoField.SECOND_OF_MINUTE, 2)
            .appendLiteral('.')
            .appendValue(ChronoField.MILLI_OF_SECOND, 3)
            .appendLiteral('Z')
            .toFormatter(Locale.ROOT);
    private static final Pattern FORM = Pattern.compile("(?<time>(?<year>[0-9]{4}|[1-9][0-9]{4,8})(?<month>[0-9]{2})"
            + "(?<day>[0-9]{2})T(?<hour>[0-9]{2})(?<minute>[0-9]{2})(?<second>[0-9]{2})\\.(?<milli>[0-9]{3})Z)"
            + "-(?<worker>[0-9]{1,18})-(?<sequence>[0-9]{1,18})(?:-(?<shard>[0-9]{1,18}))?");

    private ReadableText() {}

    static String format(long id, Layout layout) {
        DecodedId parts = layout.decode(id);
        return time(parts.timestampMillis()) + "-" + parts.worker() + "-" + parts.sequence()
                + (layout.shardBits() > 0 ? "-" + parts.shard() : "");
    }

    static long parse(String text, Layout layout) {
        Matcher parts = FORM.matcher(text);
        boolean sharded = layout.shardBits() > 0;
        if (!parts.matches() || (parts.group("shard") != null) != sharded) {
            throw IdFormat.unreadable(
                    "a readable id of the layout " + layout + " must be "
                            + (sharded ? "time, worker, sequence and shard" : "time, worker and sequence")
                            + ", such as " + (sharded ? SHARDED_EXAMPLE : EXAMPLE),
                    text);
        }
        return layout.encode(
                tick(millis(parts, text), parts.group("time"), layout),
                Long.parseLong(parts.group("worker")),
                Long.parseLong(parts.group("sequence")),
                sharded ? Long.parseLong(parts.group("shard")) : 0);
    }

    private static String time(long millis) {
        return TIME.format(LocalDateTime.ofEpochSecond(
                Math.floorDiv(millis, 1_000L), Math.floorMod(millis, 1_000) * NANOS_PER_MILLI, ZoneOffset.UTC));
    }

    private static long millis(Matcher parts, String text) {
        try {
            LocalDateTime time = LocalDateTime.of(
                    Integer.parseInt(parts.group("year")),
                    Integer.parseInt(parts.group("month")),
                    Integer.parseInt(parts.group("day")),
                    Integer.parseInt(parts.group("hour")),
                    Integer.parseInt(parts.group("minute")),
                    Integer.parseInt(parts.group("second")));
            long seconds = time.toEpochSecond(ZoneOffset.UTC);
            return seconds < Long.MAX_VALUE / 1_000
                    ? seconds * 1_000 + Long.parseLong(parts.group("milli"))
                    : Long.MAX_VALUE; // beyond every layout
        } catch (DateTimeException e) {
            throw (NumberFormatException)
                    IdFormat.unreadable("the time of a readable id must be one that the calendar has", text)
                            .initCause(e);
        }
    }

    private static long tick(long millis, String time, Layout layout) {
        if (millis < layout.epochMillis() || millis >= layout.endMillis()) {
            throw new IllegalArgumentException(
                    "time must be " + time(layout.epochMillis()) + " to " + time(layout.millisOf(layout.maxTick()))
                            + ", the first and last of the layout " + layout + ": time=" + time);
        }
        long tick = layout.tickOf(millis);
        if (layout.millisOf(tick) != millis) {
            throw new IllegalArgumentException("time must be the start of a tick of the layout " + layout + ", such as "
                    + time(layout.millisOf(tick)) + ": time=" + time);
        }
        return tick;
    }
}
