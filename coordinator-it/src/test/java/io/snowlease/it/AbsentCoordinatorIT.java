package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.admin.e2e.Traffic;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The coordinator is away when nodes start. */
class AbsentCoordinatorIT {
    /** What is left of it when a node is killed, two thirds at least, outlasts its next start on a machine under load. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** Leaf #97: with a journal it goes on to the end of its lease; without one nothing starts. */
    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#single")
    void onlyAJournalServesWhileTheCoordinatorIsAway(String name) {
        Topology topology = Topologies.get(name);
        try (Trial trial = Trial.alone("coordinator away at start", topology, 7, LEASE)) {
            ContainerNode with = trial.nodeWithJournal("with-journal").start();
            ContainerNode without = trial.node("without").start();
            ContainerNode impatient = trial.node("impatient", List.of("--start-timeout", "3s"));
            int worker = with.awaitReady();
            without.awaitReady();
            Traffic toWith = trial.load(with);
            Traffic toWithout = trial.load(without);
            with.kill();
            without.kill();
            topology.down();
            try {
                with.start();
                assertThat(with.awaitReady()).isEqualTo(worker);
                toWith.awaitIds(100);
                impatient.start();
                impatient.program().awaitEnd();
                assertThat(impatient.program().err()).contains(" gave no answer within --start-timeout 3000ms: ");
                with.awaitRefusal("timestamps must be below until=");
            } finally {
                topology.up();
            }
            trial.healed();
            without.start();
            trial.awaitService(toWith, toWithout);
        }
    }
}
