package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds what each rule prevents: with the rule taken out, some history breaks an invariant. */
class SimulationMutantsTest {
    private static final long HISTORIES = Long.getLong("snowlease.sim.mutant.histories", 3000);
    private static final int BATCH = 16;

    /** All, or {@code -Dsnowlease.sim.mutant=NAME}. */
    static Stream<SimMutant> mutants() {
        String wanted = System.getProperty("snowlease.sim.mutant");
        return wanted == null ? Stream.of(SimMutant.values()) : Stream.of(SimMutant.valueOf(wanted));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aHistoryGoesBadWithTheRuleTakenOut(SimMutant mutant) {
        for (long seed = 1; seed <= HISTORIES; seed += BATCH) {
            List<SimWorld.Outcome> bad = LongStream.range(seed, seed + BATCH)
                    .parallel()
                    .mapToObj(each -> SimWorld.run(each, mutant.profile, mutant.rules))
                    .filter(outcome -> breaksUniqueness(outcome.violations()))
                    .toList();
            if (!bad.isEmpty()) {
                System.out.printf(
                        "mutant %s: seed %d: %s%n",
                        mutant, bad.get(0).seed(), bad.get(0).violations().get(0));
                return;
            }
        }
        assertThat(HISTORIES)
                .as("histories in which " + mutant + " did no harm")
                .isZero();
    }

    private static boolean breaksUniqueness(List<String> violations) {
        return violations.stream().anyMatch(violation -> violation.startsWith("I1") || violation.startsWith("I2"));
    }
}
