package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.admin.e2e.Traffic;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A node is stopped for longer than lease and skew, another one takes its worker id, and then it runs on. */
class PausedNodeIT {
    /** SnowflakeId.AutoRegister #3: A holds 1, is away for longer than the lease, B takes 1, A comes back. */
    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#single")
    void whatComesBackIssuesNothingOfWhatAnotherHolds(String name) {
        try (Trial trial = Trial.of("paused for longer than lease + skew", Topologies.get(name), 0)) {
            ContainerNode paused = trial.node("paused").start();
            assertThat(paused.awaitReady()).isZero();
            Traffic toPaused = trial.load(paused);
            paused.box().pause();
            ContainerNode next = trial.node("next").start();
            assertThat(next.awaitReady()).isZero();
            Traffic toNext = trial.load(next);
            paused.box().unpause();
            toNext.awaitIds(200);
            paused.awaitRefusal("no free worker id|lease");
            toNext.awaitIds(200);
            next.stop();
            trial.healed();
            trial.awaitService(toPaused);
            toPaused.awaitIds(100);
        }
    }
}
