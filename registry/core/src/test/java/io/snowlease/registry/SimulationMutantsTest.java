package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds what each rule prevents: with the rule taken out, some history breaks an invariant. */
class SimulationMutantsTest {
    private static final long HISTORIES = Long.getLong("snowlease.sim.mutant.histories", 3000);
    private static final int BATCH = 16;

    /** Found before, and first to be tried: a change of the simulation may move them, and then the search begins anew. */
    private static final Properties KNOWN_SEEDS = knownSeeds();

    /** All, or {@code -Dsnowlease.sim.mutant=NAME}. */
    static Stream<SimMutant> mutants() {
        String wanted = System.getProperty("snowlease.sim.mutant");
        return wanted == null ? Stream.of(SimMutant.values()) : Stream.of(SimMutant.valueOf(wanted));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aHistoryGoesBadWithTheRuleTakenOut(SimMutant mutant) {
        String known = KNOWN_SEEDS.getProperty(mutant.name());
        if (known != null && isFound(mutant, Long.parseLong(known), 1)) {
            return;
        }
        for (long seed = 1; seed <= HISTORIES; seed += BATCH) {
            if (isFound(mutant, seed, BATCH)) {
                return;
            }
        }
        assertThat(HISTORIES)
                .as("histories in which " + mutant + " did no harm")
                .isZero();
    }

    private static boolean isFound(SimMutant mutant, long firstSeed, int count) {
        List<SimWorld.Outcome> bad = LongStream.range(firstSeed, firstSeed + count)
                .parallel()
                .mapToObj(seed -> SimWorld.run(seed, mutant.profile, mutant.rules))
                .filter(outcome -> breaksUniqueness(outcome.violations()))
                .toList();
        if (bad.isEmpty()) {
            return false;
        }
        System.out.printf(
                "mutant %s: seed %d: %s%n",
                mutant, bad.get(0).seed(), bad.get(0).violations().get(0));
        return true;
    }

    private static Properties knownSeeds() {
        Properties seeds = new Properties();
        try (InputStream file = SimulationMutantsTest.class.getResourceAsStream("mutant-seeds.properties")) {
            seeds.load(Objects.requireNonNull(file, "mutant-seeds.properties"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seeds;
    }

    private static boolean breaksUniqueness(List<String> violations) {
        return violations.stream().anyMatch(violation -> violation.startsWith("I1") || violation.startsWith("I2"));
    }
}
