package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server is killed, something happens to its journal, and it is started again: what still proves its lease is used, what
 * does not is said, and another lease is claimed.
 */
class DamagedJournalIT {
    private static final Duration LEASE = Duration.ofSeconds(12);
    private static final Duration SKEW = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    private final IssuedIds ids = new IssuedIds(Layout.CLASSIC);
    private Coordinator coordinator;
    private JournalFiles journal;

    @BeforeEach
    void start() {
        coordinator = Coordinator.start(folder, LEASE, SKEW, 3);
        journal = new JournalFiles(folder.resolve("journal"));
    }

    @AfterEach
    void stop() {
        coordinator.close();
        ids.check();
    }

    interface Damage {
        void to(JournalFiles journal) throws IOException;
    }

    static Stream<Arguments> damages() {
        return Stream.of(
                damage(
                        "cut short",
                        journal -> journal.truncate(5_000),
                        "the journal must have 8192 bytes: it has 5000, and proves nothing"),
                damage(
                        "emptied",
                        journal -> journal.truncate(0),
                        "the journal must have 8192 bytes: it has 0, and proves nothing"),
                damage(
                        "both slots torn",
                        JournalFiles::tearBoth,
                        "the journal is damaged: the checksum of neither slot is right"),
                damage(
                        "replaced by a copy of itself",
                        JournalFiles::replaceByACopy,
                        "the journal was written to another file (\\S+) than this (\\S+): a copy proves nothing"));
    }

    private static Arguments damage(String name, Damage damage, String reason) {
        return Arguments.of(name, damage, reason);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damages")
    void aJournalThatProvesNothingIsSaidAndAnotherWorkerIdIsClaimed(String name, Damage damage, String reason)
            throws Exception {
        try (Node node = node("a", journal).start()) {
            assertThat(worker(node.awaitId())).isZero();
            long before = Traffic.issueAndKill(node);
            damage.to(journal);

            node.start();
            long after = node.awaitId();
            assertThat(worker(after)).as(name).isEqualTo(1);
            assertThat(after).isGreaterThan(before);
            assertSays(node, journal, reason);
        }
    }

    /** As a first start. */
    @Test
    void withoutAFileThereIsNoProofEither() throws Exception {
        try (Node node = node("a", journal).start()) {
            assertThat(worker(node.awaitId())).isZero();
            Traffic.issueAndKill(node);
            Files.delete(journal.file());

            node.start();
            assertThat(worker(node.awaitId())).isEqualTo(1);
        }
    }

    @Test
    void aSlotThatTheCrashLeftHalfWrittenLosesNothing() throws Exception {
        try (Node node = node("a", journal).start()) {
            node.awaitId();
            for (int i = 0; i < 3; i++) {
                long before = Traffic.issueAndKill(node);
                journal.tearNextWrite();

                node.start();
                long after = node.awaitId();
                assertThat(worker(after)).isZero();
                assertThat(after).isGreaterThan(before);
            }
        }
    }

    @Test
    void oldContentsWrittenOverItAreNoProof() throws Exception {
        try (Node node = node("a", journal).start();
                Traffic traffic = new Traffic(node, 2, 100)) {
            traffic.awaitIds(1_000);
            JournalFiles old = journal.copyTo(folder.resolve("old"));
            long reservedAtMost = Clocks.system().wallMillis() + 1_000;
            await().atMost(Running.PATIENCE)
                    .until(() -> coordinator.slots().get(0).last() > reservedAtMost);
            node.kill();
            journal.overwriteWith(old);

            node.start();
            long after = node.awaitId();
            assertThat(worker(after)).isEqualTo(1);
            assertSays(
                    node,
                    journal,
                    "(the journal is an old copy: it has reserved timestamps below 20\\S+Z, and the coordinator knows of"
                            // Where the machine is slow.
                            + " one at 20\\S+Z|the lease of worker 0 ran out at .*)");
        }
    }

    @Test
    void aCopiedFolderIsNoProofWhileTheOriginalIsInUse() throws Exception {
        try (Node node = node("a", journal).start();
                Traffic traffic = new Traffic(node, 2, 100)) {
            traffic.awaitIds(1_000);
            JournalFiles copy = journal.copyTo(folder.resolve("copy"));
            try (Node other = node("b", copy).start();
                    Traffic more = new Traffic(other, 2, 100)) {
                more.awaitIds(20_000);
                traffic.awaitIds(20_000);
                assertThat(List.of(worker(node.awaitId()), worker(other.awaitId())))
                        .containsExactly(0, 1);
                assertSays(
                        other,
                        copy,
                        "the journal was written to another file (\\S+) than this (\\S+): a copy proves nothing");
            }
        }
    }

    private static void assertSays(Node node, JournalFiles itsJournal, String reason) {
        assertThat(node.process().errLines())
                .anyMatch(line -> line.matches("snowlease: WARN the journal in " + itsJournal.folder()
                        + " proves no lease that could be gone on with: " + reason));
    }

    private static int worker(long id) {
        return Layout.CLASSIC.decode(id).worker();
    }

    private Node node(String name, JournalFiles itsJournal) {
        return new Node(
                folder,
                name,
                ids,
                "--coordinator",
                coordinator.uri(),
                "--journal",
                itsJournal.folder().toString());
    }
}
