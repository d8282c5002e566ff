package io.snowlease.generator.journal;

import static io.snowlease.generator.journal.FakeClocks.START_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.snowlease.generator.BoundReachedException;
import io.snowlease.generator.ClockPolicy;
import io.snowlease.generator.Layout;
import io.snowlease.generator.SnowflakeGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The journal on a disk and clocks of the test's own; the test looks where the journal's thread would. */
class JournalTest {
    private static final Path FOLDER = Path.of("/j");
    private static final Path FILE = FOLDER.resolve(Journal.FILE);
    private static final String REGISTRY = "r1";

    private final FakeClocks clocks = new FakeClocks();
    private final MemoryDisk disk = new MemoryDisk();
    private final StubLease stub = StubLease.ofAMinute();

    private Journal open(MemoryDisk on) {
        return Journal.open(FOLDER, clocks, on, false);
    }

    private static JournalledLease record(Journal journal, StubLease lease) {
        return journal.record(REGISTRY, Layout.CLASSIC, "t1", lease);
    }

    private SnowflakeGenerator generatorOn(JournalledLease lease, Duration maxWait) {
        return SnowflakeGenerator.builder(Layout.CLASSIC)
                .clocks(clocks)
                .lease(lease)
                .maxWait(maxWait)
                .build();
    }

    private static JournalReading read(MemoryDisk from) {
        return JournalFile.read(from.bytesOf(FILE));
    }

    private JournalReading foundOn(MemoryDisk on) {
        try (Journal journal = open(on)) {
            return journal.found();
        }
    }

    private static JournalEntry entryOn(MemoryDisk from) {
        return Objects.requireNonNull(read(from).entry());
    }

    @Test
    void aNewFolderHoldsNoProof() {
        try (Journal journal = open(disk)) {
            assertThat(journal.found()).isEqualTo(JournalReading.missing("the journal is new"));
            assertThat(journal.state()).isEqualTo(JournalState.NO_LEASE);
            assertThat(journal.look()).isEqualTo(Journal.IDLE);
        }
    }

    @Test
    void recordsALeaseWithABoundASecondAhead() throws IOException {
        try (Journal journal = open(disk)) {
            JournalledLease lease = record(journal, stub);

            assertThat(lease.untilMillis()).isEqualTo(START_MILLIS + 1_000);
            assertThat(journal.state()).isEqualTo(JournalState.RESERVING);
        }
        assertThat(read(disk.crash(0)))
                .isEqualTo(JournalReading.of(new JournalEntry(
                        1,
                        REGISTRY,
                        Layout.CLASSIC,
                        3,
                        7,
                        "t1",
                        null,
                        START_MILLIS + 60_000,
                        START_MILLIS + 1_000,
                        false,
                        disk.identity(FILE) + "@host")));
    }

    @Test
    void theBoundIsNeverAboveTheLeases() {
        try (Journal journal = open(disk)) {
            StubLease shortLease = new StubLease(3, 7, START_MILLIS, START_MILLIS + 300);
            JournalledLease lease = record(journal, shortLease);
            assertThat(lease.untilMillis()).isEqualTo(START_MILLIS + 300);
            assertThat(lease.delay()).isNull();

            shortLease.renewTo(START_MILLIS + 700);
            assertThat(lease.untilMillis()).isEqualTo(START_MILLIS + 300);
            journal.look();
            assertThat(lease.untilMillis()).isEqualTo(START_MILLIS + 700);
        }
    }

    @Test
    void boundsLieOnTheLayoutsGrid() {
        Layout seconds = Layout.parse("32/10/20,tick=1s,epoch=2025-01-01T00:00:00.657Z");
        try (Journal journal = open(disk)) {
            JournalledLease lease = journal.record(REGISTRY, seconds, "t1", new StubLease(3, 7, 0, Long.MAX_VALUE));

            assertThat(lease.untilMillis()).isEqualTo(START_MILLIS + 1_657);
        }
    }

    @Test
    void aGeneratorThatIssuesSteadilyNeverMeetsTheBound() {
        try (Journal journal = open(disk);
                SnowflakeGenerator generator = generatorOn(record(journal, stub), Duration.ZERO)) {
            long syncsBefore = journal.syncs();
            for (int millis = 0; millis < 20_000; millis++) {
                generator.nextId();
                if (millis % 250 == 0) {
                    assertThat(journal.look()).isEqualTo(Journal.LOOK_NANOS);
                }
                clocks.pass(1);
            }
            assertThat(journal.syncs() - syncsBefore).isBetween(50L, 80L);
        }
    }

    @Test
    void anIdleGeneratorDoesNotSync() {
        try (Journal journal = open(disk);
                SnowflakeGenerator generator = generatorOn(record(journal, stub), Duration.ZERO)) {
            generator.nextId();
            journal.look();
            long syncs = journal.syncs();
            while (journal.look() != Journal.IDLE) {
                clocks.pass(250);
            }
            assertThat(clocks.wallMillis()).isEqualTo(START_MILLIS + 1_000);
            clocks.pass(10_000);
            assertThat(journal.isWanted()).isFalse();
            assertThat(journal.syncs()).isEqualTo(syncs);
        }
    }

    @Test
    void afterIdlenessACallIsRefusedWithATimeToComeBackIfItMayNotWait() {
        try (Journal journal = open(disk);
                SnowflakeGenerator generator = generatorOn(record(journal, stub), Duration.ZERO)) {
            clocks.pass(1_500);

            assertThatThrownBy(generator::nextId)
                    .isInstanceOfSatisfying(
                            BoundReachedException.class,
                            e -> assertThat(e.retryAfterMillis()).isBetween(1L, 10L))
                    .hasMessage("timestamps must be below until=2026-01-01T00:00:01Z, the bound of worker 3 (epoch 7):"
                            + " timestamp=2026-01-01T00:00:01.500Z is 500 ms past it, and the journal has not reserved"
                            + " more yet; resumes by itself when the disk has synced (waited for maxWait=0 ms)");
            assertThat(journal.isWanted()).isTrue();
            journal.look();
            assertThat(generator.nextId()).isPositive();
        }
    }

    @Test
    void afterIdlenessACallWaitsForTheDisk() {
        try (Journal journal = open(disk);
                SnowflakeGenerator generator = generatorOn(record(journal, stub), Duration.ofMillis(100))) {
            clocks.pass(1_500);
            clocks.whenParked(journal::look);

            generator.nextId();

            assertThat(generator.lastTimestampMillis()).isEqualTo(START_MILLIS + 1_501);
        }
    }

    @Test
    void goesAheadOfTheClockForAGeneratorThatTookOverAheadOfIt() {
        try (Journal journal = open(disk)) {
            JournalledLease first = record(journal, stub);
            SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.CLASSIC)
                    .clocks(clocks)
                    .lease(first)
                    .clockPolicy(ClockPolicy.BORROW)
                    .maxWait(Duration.ofMillis(100))
                    .build();
            clocks.whenParked(journal::look);
            long[] ids = new long[4_096];
            for (int tick = 0; tick < 5_000; tick++) {
                generator.nextIds(ids);
            }
            JournalledLease next = record(journal, new StubLease(4, 8, START_MILLIS, START_MILLIS + 60_000));
            generator.switchTo(next);

            assertThat(generator.nextId()).isGreaterThan(ids[4_095]);
            assertThat(generator.lastTimestampMillis())
                    .isGreaterThan(START_MILLIS + 4_900)
                    .isLessThan(entryOn(disk.crash(0)).reservedMillis());
        }
    }

    @Test
    void savesALongerLeaseWhenToldOfIt() {
        try (Journal journal = open(disk)) {
            JournalledLease lease = record(journal, stub);
            stub.renewTo(START_MILLIS + 90_000);
            lease.renewed();
            journal.look();
            lease.renewed();
            journal.look();

            assertThat(journal.syncs()).isEqualTo(4);
        }
        assertThat(entryOn(disk.crash(0)).untilMillis()).isEqualTo(START_MILLIS + 90_000);
        assertThat(entryOn(disk).reservedMillis()).isEqualTo(START_MILLIS + 1_000);
    }

    @Test
    void aFailedSyncStopsIdsAtTheBoundUntilAnotherLeaseIsRecorded() {
        try (Journal journal = open(disk);
                SnowflakeGenerator generator = generatorOn(record(journal, stub), Duration.ZERO)) {
            disk.fail("sync", new IOException("Input/output error"));
            clocks.pass(600);
            generator.nextId();
            assertThat(journal.look()).isEqualTo(Journal.IDLE);
            disk.heal();

            String why = "writing /j/journal failed: Input/output error; set it right, and ids go on when another lease"
                    + " is recorded (a restart does that too)";
            assertThat(journal.state()).isEqualTo(JournalState.FAILED);
            assertThat(journal.failure()).isEqualTo(why);
            clocks.pass(399);
            assertThat(generator.nextId()).isPositive();
            clocks.pass(1);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(generator::nextId)
                        .isInstanceOfSatisfying(
                                BoundReachedException.class,
                                e -> assertThat(e.retryAfterMillis()).isEqualTo(-1))
                        .hasMessage("timestamps must be below until=2026-01-01T00:00:01Z, the bound of worker 3 (epoch"
                                + " 7): timestamp=2026-01-01T00:00:01Z is 0 ms past it, and the journal reserves no"
                                + " more: " + why + " (waited for maxWait=0 ms)");
                journal.look();
            }

            JournalEntry resumed = journal.recordResume("t2");
            assertThat(resumed.reservedMillis()).isEqualTo(START_MILLIS + 1_000);
            assertThat(journal.state()).isEqualTo(JournalState.RESUMING);
            generator.switchTo(journal.record(
                    REGISTRY,
                    Layout.CLASSIC,
                    "t2",
                    new StubLease(3, 8, resumed.reservedMillis(), START_MILLIS + 60_000)));
            assertThat(generator.nextId()).isPositive();
            assertThat(journal.failure()).isNull();
            assertThat(entryOn(disk.crash(0)).resumeToken()).isNull();
        }
    }

    @Test
    void aWriteCutShortByAFullDiskFailsAndLeavesTheEntryBefore() {
        try (Journal journal = open(disk);
                SnowflakeGenerator generator = generatorOn(record(journal, stub), Duration.ZERO)) {
            disk.shortWrites(100);
            clocks.pass(600);
            generator.nextId();
            journal.look();

            assertThat(journal.failure()).contains("No space left on device");
            assertThat(entryOn(disk).reservedMillis()).isEqualTo(START_MILLIS + 1_000);
            disk.heal();
        }
    }

    @Test
    void aReplacedFileFails() {
        try (Journal journal = open(disk);
                SnowflakeGenerator generator = generatorOn(record(journal, stub), Duration.ZERO)) {
            disk.replace(FILE);
            clocks.pass(600);
            generator.nextId();
            journal.look();

            assertThat(journal.failure()).contains("another file has taken its place");
        }
    }

    @Test
    void aReplacedLockFileFails() {
        try (Journal journal = open(disk)) {
            disk.replace(FOLDER.resolve(Journal.LOCK_FILE));

            assertThatThrownBy(() -> record(journal, stub))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("the lock file /j/lock was replaced");
        }
    }

    @Test
    void closingTheGeneratorMarksTheJournalBeforeTheLeaseIsGivenBack() {
        try (Journal journal = open(disk)) {
            SnowflakeGenerator generator = generatorOn(record(journal, stub), Duration.ZERO);
            generator.nextId();
            disk.failWhen((operation, path) -> assertThat(stub.isClosed()).isFalse());
            generator.close();
            disk.heal();

            assertThat(stub.isClosed()).isTrue();
            assertThat(entryOn(disk.crash(0)).reservedMillis()).isEqualTo(START_MILLIS + 1);
            assertThat(journal.state()).isEqualTo(JournalState.NO_LEASE);
            long operations = disk.operations();
            generator.close();
            assertThat(disk.operations()).isEqualTo(operations);
        }
        try (Journal journal = open(disk.crash(0))) {
            assertThat(journal.found().status()).isEqualTo(JournalReading.Status.CLOSED);
            assertThat(journal.found().reason()).isEqualTo("the journal's lease of worker 3 (epoch 7) was closed");
            assertThatThrownBy(() -> journal.recordResume("t2")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aLeaseThatCanNotBeMarkedClosedIsNotGivenBack() {
        try (Journal journal = open(disk)) {
            JournalledLease lease = record(journal, stub);
            SnowflakeGenerator generator = generatorOn(lease, Duration.ZERO);
            for (String operation : new String[] {"write", "sync", "syncFolder"}) {
                disk.fail(operation, new IOException("Input/output error"));
                generator.close();
                assertThat(stub.isClosed()).as(operation).isFalse();
                assertThatThrownBy(() -> lease.markClosed("again")).isInstanceOf(JournalException.class);
            }
            disk.heal();
            generator.close();
            assertThat(stub.isClosed()).isTrue();
        }
    }

    @Test
    void aReplacedLeaseNeitherReservesNorClosesTheEntryOfTheNext() {
        try (Journal journal = open(disk)) {
            JournalledLease old = record(journal, stub);
            StubLease other = new StubLease(4, 9, START_MILLIS, START_MILLIS + 60_000);
            record(journal, other);
            clocks.pass(600);
            assertThat(old.untilMillis()).isEqualTo(START_MILLIS + 1_000);
            assertThat(journal.isWanted()).isFalse();
            old.close();

            assertThat(stub.isClosed()).isTrue();
            assertThat(entryOn(disk).worker()).isEqualTo(4);
            assertThat(read(disk).isProof()).isTrue();
        }
    }

    @Test
    void refusesALeaseThatStartsBelowWhatWasReserved() {
        try (Journal journal = open(disk)) {
            record(journal, stub);

            assertThatThrownBy(() -> record(journal, new StubLease(3, 8, START_MILLIS + 999, START_MILLIS + 60_000)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a lease of worker 3 must not start below what the journal has reserved before:"
                            + " notBefore=2026-01-01T00:00:00.999Z, reserved=2026-01-01T00:00:01Z; ids below it may have"
                            + " been issued");
        }
    }

    @Test
    void aResumeUnderWayIsFoundAgain() {
        try (Journal journal = open(disk)) {
            JournalledLease lease = record(journal, stub);
            journal.recordResume("t2");
            clocks.pass(900);
            assertThat(lease.untilMillis()).isEqualTo(START_MILLIS + 1_000);
            assertThat(journal.look()).isEqualTo(Journal.IDLE);
        }
        JournalEntry found = entryOn(disk.crash(0));
        assertThat(found.token()).isEqualTo("t1");
        assertThat(found.resumeToken()).isEqualTo("t2");
        assertThat(found.reservedMillis()).isEqualTo(START_MILLIS + 1_000);
    }

    @Test
    void aLossOfPowerAtAnyMomentLeavesABoundAboveEveryIdIssued() {
        for (int step = 0; step < 60; step++) {
            for (int torn : new int[] {0, 1, 40, 200, 4_095, 4_096}) {
                assertBoundSurvivesCrash(step, torn);
            }
        }
    }

    private void assertBoundSurvivesCrash(int crashAt, int torn) {
        FakeClocks ownClocks = new FakeClocks();
        MemoryDisk own = new MemoryDisk();
        long[] issued = {-1};
        MemoryDisk[] after = {own};
        try (Journal journal = Journal.open(FOLDER, ownClocks, own, false)) {
            JournalledLease lease = record(journal, StubLease.ofAMinute());
            SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.CLASSIC)
                    .clocks(ownClocks)
                    .lease(lease)
                    .maxWait(Duration.ZERO)
                    .build();
            long start = own.operations();
            own.failWhen((operation, path) -> {
                if (own.operations() - start > crashAt + 1) {
                    return;
                }
                // Another thread issues all that it is allowed to, whatever the journal is about to do.
                ownClocks.pass(300);
                try {
                    generator.nextId();
                    issued[0] = generator.lastTimestampMillis();
                } catch (BoundReachedException e) {
                    assertThat(e.reason()).isNotNull();
                }
                if (own.operations() - start == crashAt + 1) {
                    after[0] = own.crash(torn);
                }
            });
            while (own.operations() - start < crashAt + 1) {
                ownClocks.pass(100);
                lease.untilMillis();
                journal.look();
            }
            own.heal();
        }
        try (Journal journal = Journal.open(FOLDER, ownClocks, after[0], false)) {
            JournalReading found = journal.found();
            assertThat(found.isProof())
                    .as("crash at %s, torn at %s", crashAt, torn)
                    .isTrue();
            assertThat(Objects.requireNonNull(found.entry()).reservedMillis())
                    .as("crash at %s, torn at %s", crashAt, torn)
                    .isGreaterThan(issued[0]);
        }
    }

    @Test
    void aDamagedFileIsLeftAloneUntilALeaseIsRecorded() {
        byte[] garbage = {1, 2, 3};
        disk.put(FILE, garbage);
        try (Journal journal = open(disk)) {
            assertThat(journal.found())
                    .isEqualTo(
                            JournalReading.damaged("the journal must have 8192 bytes: it has 3, and proves nothing"));
            assertThat(disk.bytesOf(FILE)).isEqualTo(garbage);
            record(journal, stub);
        }
        assertThat(read(disk.crash(0)).isProof()).isTrue();
    }

    @Test
    void aFolderThatCanNotBeUsedIsAnErrorAtOnce() {
        for (String operation :
                new String[] {"makeFolder", "open", "tryLock", "write", "setLength", "sync", "rename"}) {
            MemoryDisk bad = new MemoryDisk();
            bad.fail(operation, MemoryDisk.readOnly(FILE));
            assertThatThrownBy(() -> open(bad))
                    .as(operation)
                    .isInstanceOf(JournalException.class)
                    .hasMessage("the journal folder must be on a local disk that can be written: /j: AccessDenied:"
                            + " /j/journal; make room, set its permissions right, or name another folder");
            bad.heal();
            open(bad).close();
        }
    }

    @Test
    void aFullDiskIsAnErrorAtOnce() {
        disk.fail("write", MemoryDisk.diskFull());

        assertThatThrownBy(() -> open(disk))
                .isInstanceOf(JournalException.class)
                .hasMessage("the journal folder must be on a local disk that can be written: /j: No space left on"
                        + " device; make room, set its permissions right, or name another folder");
    }

    @Test
    void aLeaseClosedAfterItsJournalIsNotGivenBack() {
        Journal journal = open(disk);
        JournalledLease lease = record(journal, stub);
        journal.close();
        journal.close();
        lease.close();

        assertThat(stub.isClosed()).isFalse();
        assertThatThrownBy(() -> record(journal, stub))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the journal in /j must be open: it was closed");
    }

    @Test
    void aCopyProvesNothing() {
        try (Journal journal = open(disk)) {
            JournalledLease unusedRecorded = record(journal, stub);
        }
        MemoryDisk elsewhere = new MemoryDisk();
        elsewhere.put(FILE, disk.bytesOf(FILE));

        JournalReading copied = foundOn(elsewhere);

        assertThat(copied.status()).isEqualTo(JournalReading.Status.COPIED);
        assertThat(copied.isProof()).isFalse();
        assertThat(copied.reason())
                .matches("the journal was written to another file \\(file \\d+@host\\) than this \\(file \\d+@host\\):"
                        + " a copy proves nothing");
        assertThat(copied.entry()).isNotNull();
        assertThat(copied.forLayout(Layout.CLASSIC).forRegistry(REGISTRY)).isEqualTo(copied);
    }

    @Test
    void aFileOnAnotherHostIsACopy() {
        try (Journal journal = open(disk)) {
            JournalledLease unusedRecorded = record(journal, stub);
        }
        MemoryDisk moved = disk.crash(0);
        moved.moveTo("other");

        assertThat(foundOn(moved).status()).isEqualTo(JournalReading.Status.COPIED);
        assertThat(foundOn(disk.crash(0)).isProof()).isTrue();
    }

    @Test
    void aCopyThatWasPutInPlaceOfTheFileProvesNothing() {
        try (Journal journal = open(disk)) {
            JournalledLease unusedRecorded = record(journal, stub);
        }
        disk.replace(FILE);

        assertThat(foundOn(disk).status()).isEqualTo(JournalReading.Status.COPIED);
    }
}
