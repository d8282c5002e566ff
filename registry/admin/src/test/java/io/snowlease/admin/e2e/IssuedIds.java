package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.DecodedId;
import io.snowlease.generator.Layout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every id of every process of a test, held against what is promised of them: no id twice (I1); per worker id, leases own
 * disjoint timestamps, a node's later ones greater ones (I2); and those that one client has asked one process for, one
 * after the other, increase (I7). Thread-safe.
 */
public final class IssuedIds {
    private final Layout layout;
    private final Set<Long> seen = new HashSet<>();
    private final List<Stretch> stretches = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    /** With no id yet. */
    public IssuedIds(Layout layout) {
        this.layout = layout;
    }

    /** Timestamps that one process has used under one worker id, without a refusal between them. */
    private static final class Stretch {
        final String node;
        final int run;
        final int worker;
        final long first;
        long last;

        Stretch(String node, int run, DecodedId id) {
            this.node = node;
            this.run = run;
            this.worker = id.worker();
            this.first = id.timestampMillis();
            this.last = first;
        }

        @Override
        public String toString() {
            return node + " in its run " + run + " from " + first + " to " + last;
        }
    }

    /** What one client has got from one process. */
    public final class Client {
        private final String node;
        private final int run;
        private @Nullable Stretch stretch;
        private long lastId = -1;

        private Client(String node, int run) {
            this.node = node;
            this.run = run;
        }

        /** Tells of one more. */
        public void issued(long id) {
            DecodedId decoded = layout.decode(id);
            synchronized (IssuedIds.this) {
                if (!seen.add(id)) {
                    violations.add(
                            "I1: issued twice, the second time by " + node + " in its run " + run + ": " + decoded);
                }
                if (id <= lastId) {
                    violations.add("I7: " + node + " in its run " + run + " issued " + decoded + " after "
                            + layout.decode(lastId));
                }
                lastId = id;
                Stretch current = stretch;
                if (current == null || current.worker != decoded.worker()) {
                    current = new Stretch(node, run, decoded);
                    stretch = current;
                    stretches.add(current);
                }
                current.last = Math.max(current.last, decoded.timestampMillis());
            }
        }

        /** Another lease may have come meanwhile. */
        public void refused() {
            stretch = null;
        }
    }

    /** For one client of a node's {@code run}th process. */
    public Client client(String node, int run) {
        return new Client(node, run);
    }

    /** How many there are. */
    public synchronized int count() {
        return seen.size();
    }

    /** The greatest id; -1 if there is none. */
    public synchronized long greatest() {
        return seen.stream().mapToLong(Long::longValue).max().orElse(-1);
    }

    /** Fails with all that is wrong. */
    public synchronized void check() {
        assertThat(findings().wrong()).as("%d ids", seen.size()).isEmpty();
    }

    /** Greatest timestamp in ms since 1970 that was used under each worker id. */
    public synchronized Map<Integer, Long> lastByWorker() {
        Map<Integer, Long> last = new HashMap<>();
        stretches.forEach(stretch -> last.merge(stretch.worker, stretch.last, Math::max));
        return last;
    }

    /**
     * What the ids say.
     *
     * @param wrong all that is wrong, with the invariant's number first
     * @param handovers how often a worker id went from one process to another
     * @param smallestGapMillis least distance of the last timestamp before such a handover to the first one after it;
     *     {@link Long#MAX_VALUE} without handovers
     */
    public record Findings(List<String> wrong, int handovers, long smallestGapMillis) {}

    /** Looks at all that has come so far. */
    public Findings findings() {
        return findings(Long.MIN_VALUE);
    }

    /** As above, but counts only handovers to timestamps from {@code sinceMillis} on. */
    public synchronized Findings findings(long sinceMillis) {
        List<String> wrong = new ArrayList<>(violations);
        int[] handovers = {0};
        long[] smallestGap = {Long.MAX_VALUE};
        Map<Integer, List<Stretch>> byWorker = new HashMap<>();
        stretches.forEach(stretch -> byWorker.computeIfAbsent(stretch.worker, worker -> new ArrayList<>())
                .add(stretch));
        byWorker.forEach((worker, ofWorker) -> {
            ofWorker.sort(Comparator.comparingLong(stretch -> stretch.first));
            Map<String, Integer> lastRun = new HashMap<>();
            Stretch reaching = ofWorker.get(0);
            for (Stretch next : ofWorker) {
                boolean sameRun = next.run == reaching.run && next.node.equals(reaching.node);
                if (!sameRun && next.first >= sinceMillis) {
                    handovers[0]++;
                    smallestGap[0] = Math.min(smallestGap[0], next.first - reaching.last);
                }
                if (!sameRun && next.first <= reaching.last) {
                    wrong.add("I2: timestamps of worker " + worker + " used by " + reaching + " and by " + next);
                }
                if (Objects.requireNonNullElse(lastRun.put(next.node, next.run), next.run) > next.run) {
                    wrong.add("I2: of worker " + worker + ", a run before had later timestamps than " + next);
                }
                reaching = next.last > reaching.last ? next : reaching;
            }
        });
        return new Findings(wrong, handovers[0], smallestGap[0]);
    }
}
