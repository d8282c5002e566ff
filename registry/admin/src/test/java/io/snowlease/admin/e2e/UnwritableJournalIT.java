package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.Layout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal that can't be written: nobody starts without it, and nobody goes on past what it vouches for. */
class UnwritableJournalIT {
    @TempDir
    Path folder;

    private final IssuedIds ids = new IssuedIds(Layout.CLASSIC);
    private Coordinator coordinator;
    private JournalFiles journal;

    @BeforeEach
    void start() {
        coordinator = Coordinator.start(folder, Duration.ofSeconds(3), Duration.ofSeconds(1), 3);
        journal = new JournalFiles(folder.resolve("journal"));
    }

    @AfterEach
    void stop() throws Exception {
        coordinator.close();
        if (Files.isDirectory(journal.folder())) {
            allow(journal.folder(), "rwxr-xr-x");
        }
        ids.check();
    }

    @Test
    void aFolderUnderAFileIsRefused() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        JournalFiles under = new JournalFiles(file.resolve("journal"));
        assertRefused(node(under), under, under.folder() + ": Not a directory");
    }

    @Test
    void aReadOnlyFolderIsRefused() throws Exception {
        Files.createDirectory(journal.folder());
        allow(journal.folder(), "r-xr-xr-x");
        assertRefused(
                node(journal).under(Restrictions.boundByPermissions()),
                journal,
                journal.folder().resolve("lock") + " (Permission denied)");
    }

    @Test
    void aReadOnlyFileIsRefused() throws Exception {
        try (Node node = node(journal).start()) {
            node.awaitId();
            node.kill();
            allow(journal.file(), "r--r--r--");
            assertRefused(
                    node.under(Restrictions.boundByPermissions()), journal, journal.file() + " (Permission denied)");
        }
    }

    @Test
    void aFullDiskIsRefused() {
        assertRefused(node(journal).under(Restrictions.filesUpTo(4096)), journal, "File too large");
    }

    @Test
    void aDiskThatFailsUnderWayStopsIdsAtWhatWasReservedUntilItWorksAgain() throws Exception {
        try (Node node = node(journal).start();
                Traffic traffic = new Traffic(node, 2, 100)) {
            traffic.awaitIds(1_000);
            Restrictions.limitFilesTo(512, node.process());
            assertStops(node, "File too large");

            Restrictions.unlimitFiles(node.process());
            traffic.awaitIds(1_000);
        }
    }

    @Test
    void aFileThatIsDeletedUnderWayStopsIdsAtWhatWasReserved() throws Exception {
        try (Node node = node(journal).start();
                Traffic traffic = new Traffic(node, 2, 100)) {
            traffic.awaitIds(1_000);
            Files.delete(journal.file());
            assertStops(node, "NoSuchFile: " + journal.file());

            node.kill();
            node.start();
            traffic.awaitIds(1_000);
        }
    }

    private void assertRefused(Node node, JournalFiles itsJournal, String reason) {
        try (Node refused = node.start()) {
            assertThat(refused.process().exitCode()).isEqualTo(1);
            assertThat(refused.process().err())
                    .isEqualTo("snowlease: the journal folder must be on a local disk that can be written: "
                            + itsJournal.folder() + ": " + reason
                            + "; make room, set its permissions right, or name another folder\n");
        }
    }

    private void assertStops(Node node, String reason) {
        String why = "writing " + journal.file() + " failed: " + reason
                + "; set it right, and ids go on when another lease is recorded (a restart does that too)";
        assertThat(node.awaitRefusal("the journal reserves no more"))
                .contains("timestamps must be below until=20", "and the journal reserves no more: " + why);
        assertThat(node.process().errLines())
                .anyMatch(line -> line.startsWith("snowlease: ERROR ids of worker 0 stop at 20") && line.endsWith(why));
    }

    private static void allow(Path path, String permissions) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private Node node(JournalFiles itsJournal) {
        return new Node(
                folder,
                "a",
                ids,
                "--coordinator",
                coordinator.uri(),
                "--journal",
                itsJournal.folder().toString());
    }
}
