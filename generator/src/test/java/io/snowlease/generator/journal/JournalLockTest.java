package io.snowlease.generator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One journal per folder, in this process and in others; on the real disk. */
class JournalLockTest {
    private static final long OWN_PID = ProcessHandle.current().pid();

    @TempDir
    private Path parent;

    private String answerOfAnotherProcess(Path folder) throws Exception {
        Process child = ChildJvm.start(LockingChild.class, folder.toString());
        child.getOutputStream().close();
        try (BufferedReader out = reader(child)) {
            return String.valueOf(out.readLine());
        } finally {
            child.waitFor();
        }
    }

    private static BufferedReader reader(Process child) {
        return new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
    }

    @Test
    void makesTheFolderAndHoldsItUntilClosed() throws Exception {
        Path folder = parent.resolve("a/b");
        Journal journal = Journal.open(folder);
        assertThat(answerOfAnotherProcess(folder)).isEqualTo("held by " + OWN_PID);
        journal.close();
        assertThat(answerOfAnotherProcess(folder)).isEqualTo("open NO_LEASE");
    }

    @Test
    void aSecondOpenerInTheProcessIsRefusedAndDoesNotTakeTheFirstOnesLockAway() throws Exception {
        Path link = Files.createSymbolicLink(parent.resolve("link"), parent);
        try (Journal journal = Journal.open(parent)) {
            for (Path again : new Path[] {parent, link, parent.resolve("../" + parent.getFileName())}) {
                assertThatThrownBy(() -> Journal.open(again))
                        .isInstanceOfSatisfying(
                                JournalLockedException.class,
                                e -> assertThat(e.holderPid()).isEqualTo(OWN_PID))
                        .hasMessageStartingWith("a journal folder must serve one process at a time: ")
                        .hasMessageEndingWith(" is in use by this process (pid " + OWN_PID
                                + "); stop that process, or give this one a folder of its own");
            }
            assertThat(journal.state()).isEqualTo(JournalState.NO_LEASE);
            assertThat(answerOfAnotherProcess(parent)).isEqualTo("held by " + OWN_PID);
        }
        Journal.open(parent).close();
    }

    @Test
    void anotherProcessIsNamedAndItsEndLetsGoHoweverItEnds() throws Exception {
        Process child = ChildJvm.start(LockingChild.class, parent.toString());
        try (BufferedReader out = reader(child)) {
            assertThat(out.readLine()).isEqualTo("open NO_LEASE");
            assertThatThrownBy(() -> Journal.open(parent))
                    .isInstanceOfSatisfying(
                            JournalLockedException.class,
                            e -> assertThat(e.holderPid()).isEqualTo(child.pid()))
                    .hasMessage("a journal folder must serve one process at a time: " + parent + " is in use by pid "
                            + child.pid() + "; stop that process, or give this one a folder of its own");
        } finally {
            child.destroyForcibly().waitFor();
        }
        Journal.open(parent).close();
    }

    @Test
    void aFolderThatIsAFileIsAnError() throws IOException {
        Path file = Files.createFile(parent.resolve("file"));

        assertThatThrownBy(() -> Journal.open(file))
                .isInstanceOf(JournalException.class)
                .hasMessage("the journal folder must be on a local disk that can be written: " + file
                        + ": FileAlreadyExists: " + file
                        + "; make room, set its permissions right, or name another folder");
    }

    @Test
    void aFileThatIsAFolderIsAnErrorAndLetsTheLockGo() throws IOException {
        Path file = Files.createDirectory(parent.resolve(Journal.FILE));

        assertThatThrownBy(() -> Journal.open(parent))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("Is a directory");
        Files.delete(file);
        Journal.open(parent).close();
    }
}
