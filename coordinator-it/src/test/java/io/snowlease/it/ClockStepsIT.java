package io.snowlease.it;

import io.snowlease.admin.e2e.Traffic;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node's clock is stepped under load. */
class ClockStepsIT {
    private static final Duration STEP = Duration.ofMillis(500);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration LONG = Duration.ofSeconds(10);

    /** hutool #1206, #1724: clock jitter under load; and steps that no node must pass on to its ids. */
    @ParameterizedTest
    @ValueSource(strings = {"zookeeper", "redis-aof-always"})
    void whateverItsClockDoesANodeIssuesNothingTwice(String name) {
        try (Trial trial = Trial.of("clock: jitter, -5 ms, -5 s, -1 h, +1 h, +1 year", Topologies.get(name), 7)) {
            ContainerNode node = trial.node("stepped").start();
            ContainerNode other = trial.node("other").start();
            node.awaitReady();
            other.awaitReady();
            Traffic toNode = trial.load(node);
            Traffic toOther = trial.load(other);
            for (int i = 0; i < 20; i++) {
                node.clock().set(Duration.ofMillis(i % 2 == 0 ? -100 : 100));
                toNode.awaitIds(20);
            }
            step(node, Duration.ofMillis(-5), STEP);
            step(node, Duration.ofSeconds(-5), STEP);
            step(node, Duration.ofHours(-1), STEP);
            step(node, Duration.ofHours(1), STEP);
            step(node, YEAR, LONG);
            trial.healed();
            trial.awaitService(toNode, toOther);
            toNode.awaitIds(100);
        }
    }

    private static void step(ContainerNode node, Duration offset, Duration time) {
        node.clock().set(offset);
        Trial.last(time);
        node.clock().set(Duration.ZERO);
        node.awaitIds();
    }
}
