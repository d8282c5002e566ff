package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.admin.e2e.Traffic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CosId, graceful stop: all nodes are stopped and started again, one after the other, under load. */
class RollingRestartIT {
    private static final int NODES = 3;

    /** CosId, graceful stop: SIGTERM, requests still draining, a new node starts at once. */
    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#single")
    void aDrainingNodeIssuesNothingAfterItsWorkerIdWasGivenBack(String name) {
        try (Trial trial = Trial.of("SIGTERM under load, a new node at once", Topologies.get(name), 0)) {
            ContainerNode old = trial.node("old").start();
            assertThat(old.awaitReady()).isZero();
            trial.load(old);
            old.program().signal("TERM");
            trial.healed();
            ContainerNode next = trial.node("new").start();
            assertThat(next.awaitReady()).isZero();
            Traffic toNext = trial.load(next);
            trial.awaitService(toNext);
            toNext.awaitIds(500);
            old.program().awaitEnd();
        }
    }

    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#others")
    void aWorkerIdThatWasGivenBackServesTheNextNodeAtOnce(String name) {
        try (Trial trial = Trial.of("rolling restart", Topologies.get(name), NODES - 1)) {
            List<ContainerNode> nodes = new ArrayList<>();
            List<Traffic> traffics = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(trial.node("node-" + i).start());
            }
            for (ContainerNode node : nodes) {
                node.awaitReady();
                traffics.add(trial.load(node));
            }
            for (ContainerNode node : nodes) {
                node.stop();
                node.start();
                trial.healed();
                node.awaitReady();
                trial.awaitService(traffics.toArray(Traffic[]::new));
            }
        }
    }
}
