package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.snowlease.admin.e2e.Traffic;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.SlotStatus;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes are killed with SIGKILL under load, and started again on clocks that are behind. */
class KilledNodeIT {
    private static final int KILLED = 3;
    private static final Duration[] BACK = {Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofHours(1)};

    /** CosId #69, #34: nodes killed hard, again and again, each with a name of its own. */
    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#single")
    void slotsOfKilledNodesComeBackAndNothingLeaks(String name) {
        Topology topology = Topologies.get(name);
        try (Trial trial = Trial.of("kill -9 again and again, one worker id", topology, 0)) {
            for (int i = 0; i < KILLED; i++) {
                trial.healed();
                ContainerNode node = trial.node("killed-" + i).start();
                assertThat(node.awaitReady()).isZero();
                Traffic traffic = trial.load(node);
                trial.awaitService(traffic);
                node.kill();
            }
            if (topology.hostUri().isPresent()) {
                awaitOneFreeSlot(topology, trial.namespace());
            }
        }
    }

    private static void awaitOneFreeSlot(Topology topology, String namespace) {
        await().atMost(Program.PATIENCE)
                .untilAsserted(() -> assertThat(topology.slots(namespace))
                        .extracting(SlotInfo::worker, SlotInfo::state)
                        .containsExactly(tuple(0, SlotStatus.FREE)));
    }

    /** Leaf #216: killed after more was issued than was reported, started again on a clock between the two. */
    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#single")
    void killedAndStartedAgainWithItsClockSetBackItIssuesNothingAgain(String name) {
        try (Trial trial = Trial.of("kill -9, restart with the clock 1 s, 10 s, 1 h behind", Topologies.get(name), 7)) {
            ContainerNode with = trial.nodeWithJournal("with-journal").start();
            ContainerNode without = trial.node("without").start();
            int worker = with.awaitReady();
            without.awaitReady();
            Traffic toWith = trial.load(with);
            Traffic toWithout = trial.load(without);
            for (Duration back : BACK) {
                with.kill();
                without.kill();
                with.clock().set(back.negated());
                without.clock().set(back.negated());
                with.start();
                without.start();
                if (back.compareTo(Duration.ofSeconds(1)) > 0) {
                    with.awaitRefusal("behind the first timestamp");
                    without.awaitRefusal("behind the first timestamp");
                }
                with.clock().set(Duration.ZERO);
                without.clock().set(Duration.ZERO);
                trial.healed();
                trial.awaitService(toWith, toWithout);
                toWith.awaitIds(100);
                toWithout.awaitIds(100);
            }
            assertThat(with.awaitReady()).as("worker id by the journal").isEqualTo(worker);
        }
    }
}
