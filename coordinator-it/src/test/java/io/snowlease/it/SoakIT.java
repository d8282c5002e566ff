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

    private static final List<Consumer<String>> ANYWHERE = List.of(
            new KilledNodeIT()::killedAndStartedAgainWithItsClockSetBackItIssuesNothingAgain,
            new PausedNodeIT()::whatComesBackIssuesNothingOfWhatAnotherHolds,
            new AbsentCoordinatorIT()::onlyAJournalServesWhileTheCoordinatorIsAway,
            new NetworkCutIT()::aNodeThatIsCutOffStopsAtItsBoundAndComesBack,
            new ClockStepsIT()::whateverItsClockDoesANodeIssuesNothingTwice,
            new RollingRestartIT()::aWorkerIdThatWasGivenBackServesTheNextNodeAtOnce);
    private static final List<Runnable> SOMEWHERE = List.of(
            new CoordinatorFaultsIT()::aZooKeeperEnsembleExpiresTheSessionsOfItsNodes,
            new CoordinatorFaultsIT()::aZooKeeperEnsembleLosesItsLeader,
            new CoordinatorFaultsIT()::aZooKeeperEnsembleLosesItsMajority,
            new CoordinatorFaultsIT()::aZooKeeperComesBackEmpty,
            new CoordinatorFaultsIT()::aRedisComesBackWithItsData,
            new CoordinatorFaultsIT()::aRedisComesBackEmpty,
            new CoordinatorFaultsIT()::aRedisIsFlushed,
            new CoordinatorFaultsIT()::sentinelsPromoteAReplica,
            new CoordinatorFaultsIT()::sentinelsPromoteAReplicaThatLags,
            new CoordinatorFaultsIT()::aClusterPromotesAReplica);

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void noIdIsIssuedTwiceWhateverHappensInWhateverOrder() {
        long start = System.nanoTime();
        Random random = new Random(SEED);
        List<String> topologies = Topologies.all().toList();
        int faults = 0;
        while (System.nanoTime() - start < TIME.toNanos()) {
            int choice = random.nextInt(ANYWHERE.size() + SOMEWHERE.size());
            String topology = topologies.get(random.nextInt(topologies.size()));
            System.out.printf("soak: fault %d, seed %d%n", ++faults, SEED);
            if (choice < ANYWHERE.size()) {
                ANYWHERE.get(choice).accept(topology);
            } else {
                SOMEWHERE.get(choice - ANYWHERE.size()).run();
            }
        }
    }
}
