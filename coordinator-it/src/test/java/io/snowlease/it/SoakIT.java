package io.snowlease.it;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Faults at random for as long as {@code -Dsnowlease.it.soak} says, as PT30M; {@code -Dsnowlease.seed} chooses the same
 * ones in the same order. Without it, nothing: the other tests try each of them once.
 */
class SoakIT {
    private static final Duration TIME = Duration.parse(System.getProperty("snowlease.it.soak", "PT0S"));
    private static final long SEED = Long.getLong("snowlease.seed", new Random().nextLong());

    /** On the same nodes. */
    private static final int IN_A_ROW = 5;

    /** For nodes of their own. */
    private static final List<Consumer<String>> OTHERS = List.of(
            new PausedNodeIT()::whatComesBackIssuesNothingOfWhatAnotherHolds,
            new KilledNodeIT()::slotsOfKilledNodesComeBackAndNothingLeaks,
            new StoppedNodeIT()::aDrainingNodeIssuesNothingAfterItsWorkerIdWasGivenBack);

    private final Random random = new Random(SEED);
    private final long start = System.nanoTime();

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void noIdIsIssuedTwiceWhateverHappensInWhateverOrder() {
        List<String> topologies = Topologies.all().toList();
        for (int round = 1; hasTime(); round++) {
            String name = topologies.get(random.nextInt(topologies.size()));
            Duration lease = random.nextBoolean() ? Trial.LEASE : Stage.LONG_LEASE;
            List<Fault> faults = Fault.all(name, lease);
            int other = random.nextInt(OTHERS.size());
            System.out.printf("soak: seed %d, round %d on %s%n", SEED, round, name);
            try (Topology topology = Topologies.own(name);
                    Stage stage = new Stage(topology, lease)) {
                for (int i = 0; i < IN_A_ROW && hasTime(); i++) {
                    stage.tryOut(faults.get(random.nextInt(faults.size())));
                }
            }
            if (hasTime()) {
                OTHERS.get(other).accept(name);
            }
        }
    }

    private boolean hasTime() {
        return System.nanoTime() - start < TIME.toNanos();
    }
}
