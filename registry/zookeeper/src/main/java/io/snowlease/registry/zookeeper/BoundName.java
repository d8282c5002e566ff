package io.snowlease.registry.zookeeper;

import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.spi.SlotBound;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An entry of the index by bound lives in its name alone, {@code 001800000060000-0000000007-held}, so that one read
 * brings them all, and their order as text is that of the bounds.
 */
final class BoundName {
    private static final long MAX_UNTIL = 999_999_999_999_999L;
    private static final Pattern NAME = Pattern.compile("(\\d{15})-(\\d{10})-(held|free)");

    private BoundName() {}

    static String of(SlotRecord slot) {
        if (slot.until() < 0 || slot.until() > MAX_UNTIL) {
            throw new IllegalArgumentException(
                    "must be 0-" + MAX_UNTIL + " ms since 1970: worker=" + slot.worker() + ", until=" + slot.until());
        }
        String state = slot.state() == SlotState.RELEASED ? "free" : "held";
        return String.format(Locale.ROOT, "%015d-%010d-%s", slot.until(), slot.worker(), state);
    }

    /** Empty for a name that is none of ours. */
    static Optional<SlotBound> parse(String name) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long worker = Long.parseLong(parts.group(2));
        return worker > Integer.MAX_VALUE
                ? Optional.empty()
                : Optional.of(new SlotBound(
                        (int) worker,
                        Long.parseLong(parts.group(1)),
                        parts.group(3).equals("free")));
    }
}
