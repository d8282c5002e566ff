package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.Layout;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a journal is for: a server that is killed goes on at once with the worker id that it had, with the coordinator or
 * without. For a clock that was set back meanwhile see {@link PublicReportsIT}.
 */
class JournalRestartIT {
    private static final Duration SKEW = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    private final IssuedIds ids = new IssuedIds(Layout.CLASSIC);

    @AfterEach
    void noIdTwice() {
        ids.check();
    }

    @Test
    void aKilledServerGoesOnAtOnceWithItsWorkerId() throws Exception {
        // Nobody else's lease would let it start that soon.
        try (Coordinator coordinator = Coordinator.start(folder, Duration.ofMinutes(1), SKEW, 3);
                Node node = node(coordinator, "a").start()) {
            int worker = Layout.CLASSIC.decode(node.awaitId()).worker();
            long before = Traffic.issueAndKill(node);

            node.start();
            long after = node.awaitId();
            System.out.printf(
                    "first id %d ms after the start that followed a kill%n",
                    node.age().toMillis());
            assertThat(Layout.CLASSIC.decode(after).worker()).isEqualTo(worker);
            assertThat(after).isGreaterThan(before);
            assertThat(coordinator.slots()).hasSize(1);
        }
    }

    @Test
    void withoutItsCoordinatorItServesToTheBoundThenRefusesAndResumesByItself() throws Exception {
        try (Coordinator coordinator = Coordinator.start(folder, Duration.ofSeconds(12), SKEW, 0);
                Node node = node(coordinator, "a").start()) {
            node.awaitId();
            coordinator.stop();
            long before = Traffic.issueAndKill(node);

            node.start();
            long offline = node.awaitId();
            assertThat(offline).isGreaterThan(before);
            String refusal = node.awaitRefusal("timestamps must be below until=");
            assertThat(refusal).contains("the bound of worker 0");

            coordinator.startAgain();
            long online = node.awaitId();
            assertThat(Layout.CLASSIC.decode(online).worker()).isZero();
            assertThat(online).isGreaterThan(offline);
        }
    }

    @Test
    void aSecondServerOnItsFolderIsToldWhoHasIt() throws Exception {
        try (Coordinator coordinator = Coordinator.start(folder, Duration.ofSeconds(10), SKEW, 3);
                Node first = node(coordinator, "a").start()) {
            first.awaitId();
            try (Node second = node(coordinator, "b").start()) {
                assertThat(second.process().exitCode()).isEqualTo(1);
                assertThat(second.process().out()).isEmpty();
                assertThat(second.process().err())
                        .isEqualTo("snowlease: a journal folder must serve one process at a time: "
                                + folder.resolve("journal") + " is in use by pid "
                                + first.process().pid()
                                + "; stop that process, or give this one a folder of its own\n");
            }
            first.awaitId();
        }
    }

    private Node node(Coordinator coordinator, String name) {
        return new Node(
                folder,
                name,
                ids,
                "--coordinator",
                coordinator.uri(),
                "--journal",
                folder.resolve("journal").toString());
    }
}
