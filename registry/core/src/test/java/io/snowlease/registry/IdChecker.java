package io.snowlease.registry;

import io.snowlease.generator.DecodedId;
import io.snowlease.generator.Layout;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Holds every id of a history against the invariants, knowing nothing of how generators work. */
final class IdChecker {
    private static final int MOST_VIOLATIONS = 100;

    private final Layout layout;
    private final Set<Long> issued = new HashSet<>();
    private final Map<Integer, TreeMap<Long, Span>> spansByWorker = new HashMap<>();
    private final Map<String, Long> durableUntil = new HashMap<>();
    private final Map<Object, Long> lastOfGenerator = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private boolean foundDuplicate;
    private long furthestAheadMillis = Long.MIN_VALUE;

    private static final class Span {
        final String token;
        final long first;
        long last;

        Span(String token, long first) {
            this.token = token;
            this.first = first;
            this.last = first;
        }
    }

    IdChecker(Layout layout) {
        this.layout = layout;
    }

    private void violation(String what) {
        foundDuplicate |= what.startsWith("I1") || what.startsWith("I2");
        if (violations.size() < MOST_VIOLATIONS) {
            violations.add(what);
        }
    }

    /** Whether timestamps of one worker id were used by two leases, or an id was issued twice. */
    boolean foundDuplicate() {
        return foundDuplicate;
    }

    /** A slot record was stored at a coordinator. */
    void written(@Nullable SlotRecord before, SlotRecord after, boolean rulesIn) {
        durableUntil.merge(after.token(), after.until(), Math::max);
        if (before == null) {
            return;
        }
        if (after.epoch() < before.epoch()) {
            violation("I5: epoch " + after.epoch() + " over " + before);
        }
        if (after.state() == SlotState.EVICTED) {
            if (rulesIn && after.until() < before.until()) {
                violation("I3: eviction lowers the bound of " + before + " to " + after.until());
            }
            return;
        }
        // What goes on may start below the bound before it. Whether that is above all that was issued is seen when it
        // is
        // used: a resume that arrives late, after its process has started without it, is used by nobody.
        boolean mayGoOn = before.state() == SlotState.HELD && after.state() == SlotState.HELD;
        if (rulesIn && !before.token().equals(after.token()) && after.floor() < before.until() && !mayGoOn) {
            violation("I4: floor " + after.floor() + " over " + before);
        }
    }

    /** An id was issued on {@code lease} at this true time by this generator. */
    void issued(long id, HeldBound lease, Object generator, long trueMillis) {
        DecodedId decoded = layout.decode(id);
        long timestamp = decoded.timestampMillis();
        String what = decoded + " on " + lease;
        if (!issued.add(id)) {
            violation("I1: issued twice: " + what);
        }
        if (decoded.worker() != lease.worker()) {
            violation("I1: another lease's worker id: " + what);
        }
        if (timestamp >= durableUntil.getOrDefault(lease.token(), Long.MIN_VALUE)) {
            violation("I3: at or above the durable bound: " + what);
        }
        if (timestamp < lease.floor()) {
            violation("I4: below the floor: " + what);
        }
        Long previous = lastOfGenerator.put(generator, id);
        if (previous != null && previous >= id) {
            violation("I7: not above " + previous + ": " + what);
        }
        checkSpans(timestamp, lease, what);
        furthestAheadMillis = Math.max(furthestAheadMillis, timestamp - trueMillis);
    }

    private void checkSpans(long timestamp, HeldBound lease, String what) {
        TreeMap<Long, Span> spans = spansByWorker.computeIfAbsent(lease.worker(), worker -> new TreeMap<>());
        Span own = spans.computeIfAbsent(lease.epoch(), epoch -> new Span(lease.token(), timestamp));
        if (!own.token.equals(lease.token())) {
            violation("I5: epoch given twice: " + what);
        }
        own.last = Math.max(own.last, timestamp);
        Map.Entry<Long, Span> earlier = spans.lowerEntry(lease.epoch());
        if (earlier != null && earlier.getValue().last >= timestamp) {
            violation("I2: not above epoch " + earlier.getKey() + ", which issued until " + earlier.getValue().last
                    + ": " + what);
        }
        Map.Entry<Long, Span> later = spans.higherEntry(lease.epoch());
        if (later != null && later.getValue().first <= timestamp) {
            violation("I2: not below epoch " + later.getKey() + ", which issued from " + later.getValue().first + ": "
                    + what);
        }
    }

    /** An id came out of a lease that was closed or known to be lost. */
    void issuedAfterEnd(long id) {
        violation("I6: after the end of its lease: " + layout.decode(id));
    }

    int ids() {
        return issued.size();
    }

    List<String> violations() {
        return violations;
    }

    /** How far an id's timestamp was ahead of true time, at most. */
    long furthestAheadMillis() {
        return furthestAheadMillis;
    }
}
