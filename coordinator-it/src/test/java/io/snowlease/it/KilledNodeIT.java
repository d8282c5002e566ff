package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.snowlease.admin.e2e.Traffic;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.SlotStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes are killed with SIGKILL under load. */
class KilledNodeIT {
    private static final int KILLED = 2;

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
                trial.kill(node);
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
}
