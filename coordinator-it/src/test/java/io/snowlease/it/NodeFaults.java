package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

/** Nodes are killed, restarted, cut off, or live by clocks that are wrong. */
final class NodeFaults {
    /** What a node says that may use nothing more of its lease. */
    static final String AT_THE_BOUND = "timestamps must be below until=";

    /** Of a lease, or of what was issued last in one that a journal has resumed. */
    private static final String CLOCK_BEHIND = "behind the (first|last) timestamp";

    private static final Duration STEP = Duration.ofMillis(500);
    private static final Duration LONG_STEP = Duration.ofSeconds(10);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration SHORT_CUT = Trial.LEASE.dividedBy(4);
    private static final List<Duration> BEHIND =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofHours(1));

    private NodeFaults() {}

    /** hutool #1206, #1724: clock jitter under load; and steps that no node must pass on to its ids. */
    static void stepTheClock(Stage stage) {
        ContainerNode node = stage.first();
        for (int i = 0; i < 20; i++) {
            node.clock().set(Duration.ofMillis(i % 2 == 0 ? -100 : 100));
            stage.toFirst().awaitIds(20);
        }
        step(node, Duration.ofMillis(-5), STEP);
        step(node, Duration.ofSeconds(-5), STEP);
        step(node, Duration.ofHours(-1), STEP);
        step(node, Duration.ofHours(1), STEP);
        step(node, YEAR, LONG_STEP);
    }

    private static void step(ContainerNode node, Duration offset, Duration time) {
        node.clock().set(offset);
        Trial.last(time);
        node.clock().set(Duration.ZERO);
        node.awaitIds();
    }

    static void cutTheNetwork(Stage stage) {
        Box cut = stage.first().box();
        Box coordinator = stage.topology().box();
        for (Box.Way way : Box.Way.values()) {
            try {
                cut.cut(coordinator, way);
                Trial.last(SHORT_CUT);
                cut.join();
                stage.toFirst().awaitIds(100);
                cut.cut(coordinator, way);
                stage.first().awaitRefusal(AT_THE_BOUND);
                stage.toSecond().awaitIds(100);
            } finally {
                cut.join();
            }
            stage.trial().healed();
            stage.trial().awaitService(stage.toFirst(), stage.toSecond());
        }
    }

    /** Each goes on with the worker id that it gave back. */
    static void restartOneAfterTheOther(Stage stage) {
        for (ContainerNode node : List.of(stage.first(), stage.second())) {
            int worker = node.worker();
            node.stop();
            node.start();
            stage.trial().healed();
            assertThat(node.awaitReady()).as("worker id of %s", node).isEqualTo(worker);
            stage.trial().awaitService(stage.toFirst(), stage.toSecond());
        }
    }

    /** Leaf #216: killed after more was issued than was reported, started again on a clock between the two. */
    static void restartWithClocksBehind(Stage stage) {
        for (Duration behind : BEHIND) {
            for (ContainerNode node : List.of(stage.first(), stage.second())) {
                node.kill();
                node.clock().set(behind.negated());
                node.start();
            }
            stage.first().awaitAnswer();
            stage.second().awaitAnswer();
            if (behind.compareTo(Program.PATIENCE) > 0) {
                stage.first().awaitRefusal(CLOCK_BEHIND);
                stage.second().awaitRefusal(CLOCK_BEHIND);
            }
            stage.first().clock().set(Duration.ZERO);
            stage.second().clock().set(Duration.ZERO);
            stage.trial().healed();
            stage.trial().awaitService(stage.toFirst(), stage.toSecond());
            stage.toFirst().awaitIds(100);
            stage.toSecond().awaitIds(100);
        }
    }

    /** Leaf #97: with a journal it goes on to the end of its lease; without one nothing starts. */
    static void startWithoutCoordinator(Stage stage) {
        ContainerNode without = stage.first();
        ContainerNode with = stage.second();
        ContainerNode impatient = stage.trial().node("impatient", List.of("--start-timeout", "3s"));
        int worker = with.worker();
        without.kill();
        with.kill();
        stage.topology().down();
        try {
            with.start();
            assertThat(with.awaitReady()).as("worker id by the journal").isEqualTo(worker);
            stage.toSecond().awaitIds(100);
            impatient.start();
            impatient.program().awaitEnd();
            assertThat(impatient.program().err()).contains(" gave no answer within --start-timeout 3000ms: ");
            with.awaitRefusal(AT_THE_BOUND);
        } finally {
            stage.topology().up();
        }
        without.start();
    }
}
