package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Histories of faults, all rules in: none may break an invariant. */
class SimulationTest {
    /** {@code -Dsnowlease.sim.histories=N} runs more, {@code -Dsnowlease.sim.seed=S} starts elsewhere. */
    private static final long HISTORIES = Long.getLong("snowlease.sim.histories", 750);

    private static final long FIRST_SEED = Long.getLong("snowlease.sim.seed", 1);

    /** A bound is at most the coordinator's time + D + 2S, rounded up to a tick; servers are within S/2 of true time. */
    private static final long AHEAD_AT_MOST_MILLIS =
            SimWorld.LEASE_MILLIS + 2 * SimWorld.SKEW_MILLIS + SimWorld.SKEW_MILLIS / 2 + SimWorld.LAYOUT.tickMillis();

    @Test
    void noHistoryOfFaultsBreaksAnInvariant() {
        List<SimWorld.Outcome> outcomes = LongStream.range(FIRST_SEED, FIRST_SEED + HISTORIES)
                .parallel()
                .mapToObj(seed -> SimWorld.run(seed, SimProfile.ofSeed(seed), new SimRules()))
                .toList();
        assertThat(outcomes)
                .filteredOn(outcome -> !outcome.violations().isEmpty())
                .isEmpty();
        assertThat(outcomes)
                .as("histories must issue, refuse, lose, hand over and be operated on, or they prove nothing")
                .anyMatch(outcome -> outcome.losses() > 0)
                .anyMatch(outcome -> outcome.refused() > 0)
                .anyMatch(outcome -> outcome.handovers() > 0)
                .anyMatch(outcome -> outcome.operations() > 0)
                .anyMatch(outcome -> outcome.resumptions() > 0)
                .anyMatch(outcome -> outcome.startsAlone() > 0)
                .filteredOn(outcome -> outcome.ids() > 100)
                .hasSizeGreaterThan(outcomes.size() / 2);
        long furthest = outcomes.stream()
                .mapToLong(SimWorld.Outcome::furthestAheadMillis)
                .max()
                .orElseThrow();
        System.out.printf(
                "simulation: %d histories, %d ids, %d refusals, %d losses of data, %d handovers, %d evictions and"
                        + " quarantines, %d resumptions, %d starts by the journal alone, furthest ahead %d ms%n",
                outcomes.size(),
                outcomes.stream().mapToLong(SimWorld.Outcome::ids).sum(),
                outcomes.stream().mapToLong(SimWorld.Outcome::refused).sum(),
                outcomes.stream().mapToLong(SimWorld.Outcome::losses).sum(),
                outcomes.stream().mapToLong(SimWorld.Outcome::handovers).sum(),
                outcomes.stream().mapToLong(SimWorld.Outcome::operations).sum(),
                outcomes.stream().mapToLong(SimWorld.Outcome::resumptions).sum(),
                outcomes.stream().mapToLong(SimWorld.Outcome::startsAlone).sum(),
                furthest);
        assertThat(furthest).isLessThanOrEqualTo(AHEAD_AT_MOST_MILLIS);
    }

    @Test
    void aSeedReplaysExactly() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 12; seed++) {
            SimWorld.Outcome first = SimWorld.run(seed, SimProfile.ofSeed(seed), new SimRules());
            assertThat(SimWorld.run(seed, SimProfile.ofSeed(seed), new SimRules()))
                    .isEqualTo(first);
        }
    }
}
