package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.snowlease.generator.Layout;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.SlotStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that other projects' users have met, with real processes, kills and clocks; each names its source. */
class PublicReportsIT {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration SKEW = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    private final IssuedIds ids = new IssuedIds(Layout.CLASSIC);

    @AfterEach
    void noIdTwice() {
        ids.check();
    }

    /** CosId #69, #34: nodes killed hard, again and again, each with a name of its own. */
    @Test
    void slotsOfKilledNodesComeBackAndNothingLeaks() throws Exception {
        try (Coordinator coordinator = Coordinator.start(folder, LEASE, SKEW, 1)) {
            for (int i = 0; i < 3; i++) {
                try (Node one = node(coordinator, "one-" + i).start();
                        Node two = node(coordinator, "two-" + i).start()) {
                    assertThat(List.of(worker(one.awaitId()), worker(two.awaitId())))
                            .containsExactlyInAnyOrder(0, 1);
                }
            }
            assertThat(coordinator.slots()).extracting(SlotInfo::worker).containsExactly(0, 1);
            await().atMost(Running.PATIENCE)
                    .untilAsserted(() -> assertThat(coordinator.slots())
                            .extracting(SlotInfo::state)
                            .containsOnly(SlotStatus.FREE));
        }
    }

    /** CosId, graceful stop: SIGTERM, requests still draining, a new node starts at once. */
    @Test
    void aDrainingNodeIssuesNothingAfterItsWorkerIdWasGivenBack() throws Exception {
        try (Coordinator coordinator = Coordinator.start(folder, LEASE, SKEW, 0);
                Node old = node(coordinator, "old").start().awaitReady();
                Traffic traffic = new Traffic(old, 2, 500)) {
            traffic.awaitIds(20_000);
            old.process().signal("TERM");
            try (Node next = node(coordinator, "new").start()) {
                assertThat(worker(next.awaitId())).isZero();
                assertThat(old.process().exitCode()).as(old.process().err()).isZero();
                next.ask(10_000);
            }
        }
    }

    /** Leaf #216: killed after it had issued more than it had reported, started again on a clock between the two. */
    @ParameterizedTest(name = "with a journal: {0}")
    @ValueSource(booleans = {false, true})
    void startedAgainWithItsClockSetBackItIssuesNothingAgain(boolean withJournal) throws Exception {
        try (Coordinator coordinator = Coordinator.start(folder, LEASE, SKEW, 0)) {
            startAgain(Duration.ofSeconds(8), withJournal, behind("\\d{1,4} ms"), "--coordinator", coordinator.uri());
        }
    }

    /** Leaf #216, where the coordinator is in the same process, and goes back too. */
    @ParameterizedTest(name = "with a journal: {0}")
    @ValueSource(booleans = {false, true})
    void startedAgainWithBothClocksSetBackItIssuesNothingAgain(boolean withJournal) throws Exception {
        startAgain(
                Duration.ofSeconds(8),
                withJournal,
                withJournal
                        ? behind("\\d{1,4} ms")
                        : "no free worker id: 1 of 1 \\(0-0\\) are held, the next one expires at 20",
                "--data",
                folder.resolve("data").toString(),
                "--embedded-port",
                "0",
                "--workers",
                "0-0",
                "--lease-duration",
                "3s",
                "--max-skew",
                "1s");
    }

    /**
     * A Leaf server that was started again with its clock 60 s back logged the rollback, fell back to its local file, and
     * served: 299 duplicates in 30 s.
     */
    @ParameterizedTest(name = "with a journal: {0}")
    @ValueSource(booleans = {false, true})
    void startedAgainWithItsClockAMinuteBackItRefuses(boolean withJournal) throws Exception {
        try (Coordinator coordinator = Coordinator.start(folder, LEASE, SKEW, 0)) {
            startAgain(
                    Duration.ofMinutes(1),
                    withJournal,
                    behind("(5\\d|60) s \\((5\\d|60)\\d{3} ms\\)"),
                    "--coordinator",
                    coordinator.uri());
        }
    }

    /** Refuses, says why to clients and on stderr, and goes on with greater ids once its clock is right. */
    private void startAgain(Duration back, boolean withJournal, String refusal, String... coordinator)
            throws Exception {
        FakeClock clock = new FakeClock(folder);
        List<String> options = new ArrayList<>(List.of(coordinator));
        if (withJournal) {
            options.addAll(List.of("--journal", folder.resolve("journal").toString()));
        }
        try (Node node = new Node(folder, "a", ids, options.toArray(String[]::new)).on(clock)) {
            node.start().awaitId();
            long before = Traffic.issueAndKill(node);
            clock.set(back.negated());
            node.start();
            node.awaitRefusal(refusal);
            // Said once the answer is 503 already.
            node.process().awaitErr("snowlease: no ids yet: ");
            assertThat(node.process().err()).containsPattern("snowlease: no ids yet: " + refusal);

            clock.set(Duration.ZERO);
            long after = node.awaitId();
            assertThat(after).isGreaterThan(before);
            assertThat(worker(after)).isZero();
        }
    }

    /** Leaf #97: stopped, the coordinator stopped too, and started again with its clock a minute back. */
    @Test
    void withoutACoordinatorAndAJournalNothingStartsOnAClockThatWasSetBack() throws Exception {
        try (Coordinator coordinator = Coordinator.start(folder, LEASE, SKEW, 0)) {
            FakeClock clock = new FakeClock(folder);
            try (Node node =
                    node(coordinator, "a", "--start-timeout", "1s").on(clock).start()) {
                node.awaitId();
                node.kill();
                coordinator.stop();
                clock.set(Duration.ofMinutes(-1));
                node.start();
                assertThat(node.process().exitCode()).isEqualTo(1);
                assertThat(node.process().err())
                        .endsWith("snowlease: coordinator 127.0.0.1:" + coordinator.port()
                                + " gave no answer within --start-timeout 1000ms: check that it runs and that this"
                                + " address is right\n");
            }
        }
    }

    /** Leaf #97, with a journal: it knows what was issued, and refuses until the clock is past that. */
    @Test
    void withoutACoordinatorTheJournalRefusesOnAClockThatWasSetBack() throws Exception {
        try (Coordinator coordinator = Coordinator.start(folder, LEASE, SKEW, 0)) {
            FakeClock clock = new FakeClock(folder);
            try (Node node = node(
                            coordinator,
                            "a",
                            "--journal",
                            folder.resolve("journal").toString())
                    .on(clock)
                    .start()) {
                long before = node.awaitId();
                node.kill();
                coordinator.stop();
                clock.set(Duration.ofMinutes(-1));
                node.start();
                node.awaitRefusal(behind("(5\\d|60) s \\((5\\d|60)\\d{3} ms\\)"));

                clock.set(Duration.ZERO);
                coordinator.startAgain();
                assertThat(node.awaitId()).isGreaterThan(before);
            }
        }
    }

    /** Two Leaf servers that started on an empty ZooKeeper that answered late were both worker 0: 22 shared ids in 5 s. */
    @Test
    void twoNodesOnAnEmptyCoordinatorThatAnswersLateGetZeroAndOne() throws Exception {
        String[] settings = {"--lease-duration", "10s", "--max-skew", "500ms"};
        try (Coordinator coordinator = Coordinator.empty(folder);
                SlowLink slow = new SlowLink(coordinator.port(), Duration.ofMillis(100));
                Node one = new Node(folder, "one", ids, "--coordinator", slow.uri()).start(settings);
                Node two = new Node(folder, "two", ids, "--coordinator", slow.uri()).start(settings)) {
            assertThat(List.of(worker(one.awaitId()), worker(two.awaitId()))).containsExactlyInAnyOrder(0, 1);
            for (int i = 0; i < 5; i++) {
                assertThat(one.ask(5_000).status()).isEqualTo(200);
                assertThat(two.ask(5_000).status()).isEqualTo(200);
            }
        }
    }

    private static String behind(String amount) {
        return "this node's clock \\(20\\S+Z\\) is " + amount
                + " behind the first timestamp not used yet, 20\\S+Z( \\(the journal in \\S+\\))?: ids"
                + " come when it has got there; if it was set back by mistake, correct it \\(NTP\\)";
    }

    private static int worker(long id) {
        return Layout.CLASSIC.decode(id).worker();
    }

    private Node node(Coordinator coordinator, String name, String... more) {
        List<String> options = new ArrayList<>(List.of("--coordinator", coordinator.uri()));
        options.addAll(List.of(more));
        return new Node(folder, name, ids, options.toArray(String[]::new));
    }
}
