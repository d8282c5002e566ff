package io.snowlease.generator.local;

import static io.snowlease.generator.local.HandClocks.START_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.snowlease.generator.BoundReachedException;
import io.snowlease.generator.ClockBehindException;
import io.snowlease.generator.ClockPolicy;
import io.snowlease.generator.GeneratorClosedException;
import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.Layout;
import io.snowlease.generator.SnowflakeGenerator;
import io.snowlease.generator.SnowflakeGeneratorBuilder;
import io.snowlease.generator.WorkerLease;
import io.snowlease.generator.journal.Journal;
import io.snowlease.generator.journal.JournalLockedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the real disk, with a clock of the test's own. */
class LocalGeneratorTest {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long YEAR_MILLIS = Duration.ofDays(365).toMillis();

    @TempDir
    private Path folder;

    private final HandClocks clocks = new HandClocks();
    private final Set<Long> issued = new HashSet<>();

    private LocalGenerator open(Path in, int worker, UnaryOperator<SnowflakeGeneratorBuilder> options) {
        return LocalGenerator.open(
                Layout.CLASSIC, w -> in, WorkerIdSource.fixed(worker), options, clocks, new FakeHost());
    }

    private LocalGenerator open(int worker) {
        return open(folder, worker, options -> options.maxWait(Duration.ZERO));
    }

    /** Ids that are new, and each above the one before. */
    private long issue(LocalGenerator generator, int count) {
        long last = -1;
        for (int i = 0; i < count; i++) {
            long id = generator.nextId();
            assertThat(id).isGreaterThan(last);
            assertThat(issued.add(id)).isTrue();
            last = id;
        }
        return last;
    }

    /** A folder as a process leaves it that is killed now. */
    private Path crashed(String name) throws Exception {
        Path copy = Files.createDirectory(folder.resolve(name));
        // The same file: a copy is told from it.
        Files.createLink(copy.resolve("journal"), folder.resolve("journal"));
        return copy;
    }

    private static String instant(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    @Test
    void issuesIdsOfTheWorkerThatTheSourceGives() {
        try (LocalGenerator generator = open(7)) {
            assertThat(generator.workerId()).isEqualTo(7);
            assertThat(generator.layout()).isEqualTo(Layout.CLASSIC);
            assertThat(generator.journalFolder()).isEqualTo(folder.toAbsolutePath());
            assertThat(Layout.CLASSIC.decode(issue(generator, 3)))
                    .isEqualTo(
                            Layout.CLASSIC.decode(Layout.CLASSIC.encode(Layout.CLASSIC.tickOf(START_MILLIS), 7, 2, 0)));
            long[] batch = new long[2];
            generator.nextIds(batch);
            assertThat(batch[1]).isEqualTo(batch[0] + 1);
        }
    }

    @Test
    void passesShardKeysOn() {
        try (LocalGenerator generator = LocalGenerator.open(
                Layout.SHARDED, w -> folder, WorkerIdSource.fixed(7), options -> options, clocks, new FakeHost())) {
            assertThat(generator.nextId(1029) % 1024).isEqualTo(5);
            long[] batch = new long[1];
            generator.nextIds(batch, 3);
            assertThat(batch[0] % 1024).isEqualTo(3);
        }
    }

    @Test
    void theWholeOpenerWorksOnThisMachine() {
        try (LocalGenerator generator = LocalGenerator.open(Layout.CLASSIC, folder, WorkerIdSource.fixed(7))) {
            issue(generator, 10_000);
        }
    }

    /** Leaf #97, without a coordinator. */
    @Test
    void aClockSetBackBeforeARestartIsRefusedByTheMsItLacksUntilItIsThereAgain() {
        long last;
        try (LocalGenerator generator = open(7)) {
            last = issue(generator, 10);
        }
        clocks.pass(-60_000);
        try (LocalGenerator generator = open(7)) {
            assertThatThrownBy(generator::nextId)
                    .isInstanceOfSatisfying(ClockBehindException.class, e -> {
                        assertThat(e.behindMillis()).isEqualTo(60_001);
                        assertThat(e.retryAfterMillis()).isEqualTo(60_001);
                    })
                    .hasMessage("clock is 60001 ms behind the first timestamp this lease may use: clock="
                            + instant(START_MILLIS - 60_000) + ", first=" + instant(START_MILLIS + 1)
                            + ", maxWait=0 ms; resumes by itself when the clock gets there, else set it right (NTP); the"
                            + " journal in " + folder.toAbsolutePath()
                            + " has reserved all before it: if a clock that was ahead has done that, use another worker id"
                            + " with another journal folder");
            clocks.pass(60_000);
            assertThatThrownBy(generator::nextId).isInstanceOf(ClockBehindException.class);
            clocks.pass(1);
            assertThat(issue(generator, 4_096)).isGreaterThan(last);
        }
    }

    @Test
    void aClockThatWasAYearAheadIsToldTheWayOut() {
        clocks.pass(YEAR_MILLIS);
        try (LocalGenerator generator = open(7)) {
            issue(generator, 1);
        }
        clocks.pass(-YEAR_MILLIS);
        try (LocalGenerator generator = open(7)) {
            assertThatThrownBy(generator::nextId)
                    .hasMessageStartingWith("clock is " + (YEAR_MILLIS + 1) + " ms behind ")
                    .hasMessageEndingWith("use another worker id with another journal folder");
        }
        try (LocalGenerator generator = open(folder.resolve("8"), 8, options -> options)) {
            issue(generator, 10);
        }
    }

    @Test
    void afterACrashItStartsAtWhatWasReserved() throws Exception {
        try (LocalGenerator generator = open(7)) {
            issue(generator, 10);
            try (LocalGenerator next = open(crashed("a"), 7, options -> options.maxWait(Duration.ZERO))) {
                assertThatThrownBy(next::nextId)
                        .isInstanceOfSatisfying(
                                ClockBehindException.class,
                                e -> assertThat(e.behindMillis()).isEqualTo(1_000));
                clocks.pass(1_000);
                issue(next, 10);
            }
        }
    }

    @Test
    void borrowGoesOnFromTheBoundAheadOfTheClock() {
        try (LocalGenerator generator = open(7)) {
            issue(generator, 10);
        }
        clocks.pass(-60_000);
        try (LocalGenerator generator = open(
                folder, 7, options -> options.clockPolicy(ClockPolicy.BORROW).maxWait(Duration.ofSeconds(30)))) {
            long last = issue(generator, 10_000);
            assertThat(Layout.CLASSIC.decode(last).timestampMillis()).isEqualTo(START_MILLIS + 3);
        }
    }

    @Test
    void theBoundHoldsForAnotherWorkerIdAndBackAgain() {
        clocks.pass(5_000);
        try (LocalGenerator generator = open(7)) {
            issue(generator, 10);
        }
        clocks.pass(-1_000);
        try (LocalGenerator generator = open(8)) {
            assertThatThrownBy(generator::nextId).isInstanceOf(ClockBehindException.class);
        }
        try (LocalGenerator generator = open(7)) {
            assertThatThrownBy(generator::nextId).isInstanceOf(ClockBehindException.class);
            clocks.pass(1_001);
            issue(generator, 10);
        }
    }

    @Test
    void reopensAtOnceAfterClose() {
        for (int i = 0; i < 5; i++) {
            try (LocalGenerator generator = open(7)) {
                issue(generator, 4_096);
            }
            clocks.pass(1);
        }
        assertThat(issued).hasSize(5 * 4_096);
    }

    @Test
    void aDamagedJournalIsRefusedAndLeftAsItIs() throws Exception {
        open(7).close();
        byte[] rubbish = new byte[8_192];
        Files.write(folder.resolve("journal"), rubbish);

        assertThatThrownBy(() -> open(7))
                .isInstanceOf(LocalWorkerException.class)
                .hasMessage("the journal in " + folder.toAbsolutePath()
                        + " must vouch for worker 7: the journal is damaged: the checksum of neither slot is right; use"
                        + " another worker id with another folder, or, once the clock is certainly past all ids that were"
                        + " issued from this one, delete it");
        assertThat(folder.resolve("journal")).hasBinaryContent(rubbish);
        // Its lock is let go.
        assertThatThrownBy(() -> open(7)).isInstanceOf(LocalWorkerException.class);
    }

    /** A container that is made anew on the same volume has another name. */
    @Test
    void theBoundOfACopyHolds() throws Exception {
        try (LocalGenerator generator = open(7)) {
            issue(generator, 10);
        }
        Path copy = Files.createDirectory(folder.resolve("copy"));
        Files.copy(folder.resolve("journal"), copy.resolve("journal"));
        for (int i = 0; i < 2; i++) {
            clocks.pass(-60_000);
            try (LocalGenerator generator = open(copy, 7, options -> options.maxWait(Duration.ZERO))) {
                assertThatThrownBy(generator::nextId).isInstanceOf(ClockBehindException.class);
                clocks.pass(60_001);
                issue(generator, 10);
            }
        }
    }

    @Test
    void aJournalOfAnotherLayoutIsRefused() {
        open(7).close();

        assertThatThrownBy(() -> LocalGenerator.open(Layout.SECONDS, folder, WorkerIdSource.fixed(7)))
                .isInstanceOf(LocalWorkerException.class)
                .hasMessage("the journal in " + folder.toAbsolutePath()
                        + " must vouch for worker 7: the journal is of layout " + Layout.CLASSIC + ", not of "
                        + Layout.SECONDS + ", and proves nothing for it; use another worker id with another folder");
    }

    @Test
    void aJournalOfALeaseFromACoordinatorIsRefused() {
        try (Journal journal = Journal.open(folder, clocks)) {
            WorkerLease lease = new LocalLease(7, 1, START_MILLIS, START_MILLIS + 60_000, folder);
            assertThat(journal.record("r1", Layout.CLASSIC, "t", lease).workerId())
                    .isEqualTo(7);
        }
        assertThatThrownBy(() -> open(7))
                .isInstanceOf(LocalWorkerException.class)
                .hasMessage("the journal in " + folder.toAbsolutePath()
                        + " must vouch for worker 7: the journal is of registry r1, not of no coordinator, and proves"
                        + " nothing for it; use another worker id with another folder");
    }

    @Test
    void aFolderServesOneAtATime() {
        try (LocalGenerator generator = open(7)) {
            assertThatThrownBy(() -> open(8))
                    .isInstanceOf(JournalLockedException.class)
                    .hasMessage("a journal folder must serve one process at a time: " + folder.toAbsolutePath()
                            + " is in use by this process (pid "
                            + ProcessHandle.current().pid()
                            + "); stop that process, or give this one a folder of its own");
            issue(generator, 1);
        }
        open(8).close();
    }

    @Test
    void aSourceWithoutAWorkerIdTouchesNoFolder() {
        Path untouched = folder.resolve("new");
        assertThatThrownBy(() -> LocalGenerator.open(
                        Layout.CLASSIC,
                        w -> untouched,
                        WorkerIdSource.mac(null),
                        options -> options,
                        clocks,
                        new FakeHost()))
                .isInstanceOf(LocalWorkerException.class);
        assertThat(untouched).doesNotExist();
    }

    @Test
    void optionsMustReturnTheirBuilderAndAFailureLetsTheFolderGo() {
        assertThatThrownBy(() -> open(folder, 7, options -> SnowflakeGenerator.builder(Layout.SECONDS)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("options must return the builder they were given: it has the layout " + Layout.CLASSIC);
        clocks.pass(-50 * YEAR_MILLIS);
        assertThatThrownBy(() -> open(7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the epoch must not be in the future: ");
        clocks.pass(50 * YEAR_MILLIS);
        try (LocalGenerator generator = open(7)) {
            issue(generator, 1);
        }
    }

    @Test
    void closeEndsIssuingAndCanBeRepeated() {
        LocalGenerator generator = open(7);
        generator.close();
        assertThatThrownBy(generator::nextId).isInstanceOf(GeneratorClosedException.class);
        try (LocalGenerator next = open(7)) {
            generator.close();
            issue(next, 1);
        }
        assertThat(generator.recover()).isTrue();
    }

    @Test
    void afterAFailedWriteIdsStopAndGoOnFromWhatWasReserved() throws Exception {
        try (LocalGenerator generator = open(7)) {
            issue(generator, 10);
            assertThat(generator.recover()).isTrue();
            Files.move(folder.resolve("journal"), folder.resolve("aside"));
            clocks.pass(1_000);
            String stopped = awaitRefusal(generator, text -> text.contains("the journal reserves no more"));
            assertThat(stopped)
                    .isEqualTo("timestamps must be below until=" + instant(START_MILLIS + 1_000)
                            + ", the bound of worker 7 (epoch 1): timestamp=" + instant(START_MILLIS + 1_000)
                            + " is 0 ms past it, and the journal reserves no more: writing "
                            + folder.toAbsolutePath().resolve("journal") + " failed: NoSuchFile: "
                            + folder.toAbsolutePath().resolve("journal")
                            + "; set it right, and ids go on when another lease is recorded (a restart does that too)"
                            + " (waited for maxWait=0 ms)");
            assertThat(generator.recover()).isFalse();

            Files.move(folder.resolve("aside"), folder.resolve("journal"));
            assertThat(generator.recover()).isTrue();
            issue(generator, 100);
            assertThat(generator.workerId()).isEqualTo(7);
        }
        try (LocalGenerator generator = open(7)) {
            clocks.pass(1);
            issue(generator, 100);
        }
    }

    @Test
    void recoversByItself() throws Exception {
        try (LocalGenerator generator = LocalGenerator.open(Layout.CLASSIC, folder, WorkerIdSource.fixed(7))) {
            issue(generator, 10);
            Files.move(folder.resolve("journal"), folder.resolve("aside"));
            awaitRefusal(generator, text -> text.contains("the journal reserves no more"));
            Files.move(folder.resolve("aside"), folder.resolve("journal"));
            awaitId(generator);
            issue(generator, 1_000);
        }
    }

    @Test
    void aJournalThatWasTouchedByOthersStaysShut() throws Exception {
        try (LocalGenerator generator = open(7)) {
            issue(generator, 10);
            Files.move(folder.resolve("lock"), folder.resolve("aside"));
            Files.writeString(folder.resolve("lock"), "1", StandardOpenOption.CREATE_NEW);
            clocks.pass(1_000);
            assertThat(awaitRefusal(generator, text -> text.contains("the journal reserves no more")))
                    .contains("the lock file " + folder.toAbsolutePath().resolve("lock") + " was replaced");
            assertThat(generator.recover()).isFalse();
            assertThatThrownBy(generator::nextId).isInstanceOf(BoundReachedException.class);
        }
    }

    private String awaitRefusal(LocalGenerator generator, Predicate<String> wanted) {
        long start = clocks.monotonicNanos();
        while (clocks.monotonicNanos() - start < PATIENCE_NANOS) {
            try {
                assertThat(issued.add(generator.nextId())).isTrue();
            } catch (IdGenerationException e) {
                if (wanted.test(String.valueOf(e.getMessage()))) {
                    return String.valueOf(e.getMessage());
                }
            }
            LockSupport.parkNanos(1_000_000);
        }
        throw new AssertionError("not refused in time");
    }

    private void awaitId(LocalGenerator generator) {
        long start = clocks.monotonicNanos();
        while (clocks.monotonicNanos() - start < PATIENCE_NANOS) {
            try {
                assertThat(issued.add(generator.nextId())).isTrue();
                return;
            } catch (BoundReachedException e) {
                LockSupport.parkNanos(1_000_000);
            }
        }
        throw new AssertionError("no id in time");
    }
}
