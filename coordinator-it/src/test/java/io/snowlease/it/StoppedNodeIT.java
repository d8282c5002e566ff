package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.admin.e2e.Traffic;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A node is told to stop, and another one is there to take its worker id. */
class StoppedNodeIT {
    /** CosId, graceful stop: SIGTERM, requests still draining, a new node starts at once. */
    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#single")
    void aDrainingNodeIssuesNothingAfterItsWorkerIdWasGivenBack(String name) {
        Topology topology = Topologies.get(name);
        // Its bound alone does not end the old node's ids before the new one has started.
        try (Trial trial = Trial.of("SIGTERM under load, a new node at once", topology, 0, Stage.LONG_LEASE)) {
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
}
