package io.snowlease.registry.redis;

import io.snowlease.registry.spi.SlotBound;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Entries of the index by bound: members {@code 7:held} and {@code 7:free}, each with its bound as the score. */
final class BoundEntries {
    private static final Pattern MEMBER = Pattern.compile("(\\d{1,9}):(held|free)");
    private static final Pattern SCORE = Pattern.compile("\\d{1,18}");

    private BoundEntries() {}

    /** Leaves out what is none of ours. */
    static List<SlotBound> parse(List<?> membersAndScores) {
        List<SlotBound> entries = new ArrayList<>();
        for (int i = 0; i + 1 < membersAndScores.size(); i += 2) {
            Matcher member = MEMBER.matcher((String) membersAndScores.get(i));
            String score = (String) membersAndScores.get(i + 1);
            if (member.matches() && SCORE.matcher(score).matches()) {
                entries.add(new SlotBound(
                        Integer.parseInt(member.group(1)),
                        Long.parseLong(score),
                        member.group(2).equals("free")));
            }
        }
        entries.sort(Comparator.comparingLong(SlotBound::until).thenComparingInt(SlotBound::worker));
        return entries;
    }
}
