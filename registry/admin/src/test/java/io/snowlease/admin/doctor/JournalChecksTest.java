package io.snowlease.admin.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.admin.doctor.JournalFacts.State;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.journal.Journal;
import io.snowlease.generator.journal.JournalEntry;
import io.snowlease.generator.journal.JournalReading;
import io.snowlease.generator.journal.JournalReading.Status;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.spi.Disk;
import io.snowlease.registry.spi.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal's folder: what there is to see of a real one, and what is said of it. */
class JournalChecksTest {
    private static final long NOW = Instant.parse("2026-12-01T00:00:00Z").toEpochMilli();
    private static final Path FOLDER = Path.of("/var/lib/j");
    private static final Disk DISK = new Disk("ext4", 3L << 30);
    private static final RegistryRecord REGISTRY =
            new RegistryRecord("r1", Layout.CLASSIC.spec(), 60_000, 5_000, 0, 0, 9, 0, "s", 0, 0);

    @TempDir
    private Path parent;

    // Facts

    @Test
    void looksAtAFolderThatIsNotThereWithoutMakingIt() {
        JournalFacts facts = JournalFacts.of(parent.resolve("a/b"));
        assertThat(facts.state()).isEqualTo(State.MISSING);
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void looksAtAFolderWithoutAJournalWithoutMakingOne() {
        JournalFacts facts = JournalFacts.of(parent);
        assertThat(facts.state()).isEqualTo(State.EMPTY);
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void readsAJournalWithoutChangingIt() throws IOException {
        Journal.open(parent).close();
        byte[] before = Files.readAllBytes(parent.resolve("journal"));

        JournalFacts facts = JournalFacts.of(parent);

        assertThat(facts.state()).isEqualTo(State.READ);
        assertThat(facts.reading()).isEqualTo(new JournalReading(Status.MISSING, null, "the journal is new"));
        assertThat(Files.readAllBytes(parent.resolve("journal"))).isEqualTo(before);
        Journal.open(parent).close();
    }

    @Test
    void readsADamagedJournalWithoutMendingIt() throws IOException {
        Journal.open(parent).close();
        byte[] damaged = {1, 2, 3};
        Files.write(parent.resolve("journal"), damaged);

        assertThat(JournalFacts.of(parent).reading())
                .satisfies(reading -> assertThat(reading.status()).isEqualTo(Status.DAMAGED));
        assertThat(Files.readAllBytes(parent.resolve("journal"))).isEqualTo(damaged);
    }

    @Test
    void readsAJournalWhoseLockFileWasCleanedAway() throws IOException {
        Journal.open(parent).close();
        Files.delete(parent.resolve("lock"));
        assertThat(JournalFacts.of(parent).state()).isEqualTo(State.READ);
    }

    /** With an entry that a registry has written. */
    @Test
    void knowsTheJournalOfItsRegistry() {
        RegistryRecord record;
        JournalReading held;
        try (WorkerRegistry registry = WorkerRegistry.builder()
                .coordinator("memory:doctor")
                .namespace("orders")
                .journal(parent)
                .connect()) {
            record = registry.registry();
            IdGenerator ids = registry.newGenerator();
            assertThat(ids.nextId()).isPositive();
        }
        try (Journal journal = Journal.open(parent)) {
            held = new JournalReading(Status.PROOF, journal.found().entry(), "");
        }
        assertThat(findings(new JournalFacts(parent, State.READ, null, held, -1, ""), record)
                        .get(0)
                        .found())
                .contains("worker 0 (epoch 1) was held until");
    }

    @Test
    void theBoundOfACopyHoldsAStartBackToo() {
        JournalEntry entry = new JournalEntry(
                1, "orders/r1", Layout.CLASSIC, 7, 3, "t", null, NOW + 3_660_000, NOW + 3_600_000, false, "f@h");
        JournalReading copied = new JournalReading(Status.COPIED, entry, "a copy");
        assertThat(findings(new JournalFacts(FOLDER, State.READ, null, copied, -1, ""), REGISTRY))
                .contains(Finding.failure(
                        "journal-clock",
                        "the last bound of worker 7 is 2026-12-01T01:00:00.000Z, 3600000 ms ahead of this node's clock",
                        "the clock was set back: correct it (NTP)"));
    }

    @Test
    void leavesAJournalInUseToItsHolder() {
        try (Journal holder = Journal.open(parent)) {
            JournalFacts facts = JournalFacts.of(parent);
            assertThat(facts.state()).isEqualTo(State.IN_USE);
            assertThat(facts.holderPid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(holder.folder()).isEqualTo(parent.toAbsolutePath());
        }
    }

    @Test
    void saysThatAFileIsNoFolder() throws IOException {
        Path file = Files.writeString(parent.resolve("f"), "");
        assertThat(findings(JournalFacts.of(file.resolve("j")), null))
                .containsExactly(Finding.failure(
                        "journal",
                        file.resolve("j") + " can't be used: " + file + " must be a folder",
                        "choose another folder, or set its permissions right"));
    }

    // Checks

    private static List<Finding> findings(JournalFacts facts, @Nullable RegistryRecord registry) {
        return JournalChecks.of(facts, "orders", registry, Layout.CLASSIC, NOW, 5_000);
    }

    private static JournalFacts facts(State state, Disk disk) {
        return new JournalFacts(FOLDER, state, disk, null, 4_711, "");
    }

    private static List<Finding> read(String registryId, long until, long reserved) {
        JournalEntry entry = new JournalEntry(
                1,
                RegistryRecord.idIn("orders", registryId),
                Layout.CLASSIC,
                7,
                3,
                "t",
                null,
                until,
                reserved,
                false,
                "f@h");
        return findings(
                new JournalFacts(FOLDER, State.READ, DISK, new JournalReading(Status.PROOF, entry, ""), -1, ""),
                REGISTRY);
    }

    @Test
    void saysWhatAFolderIsLike() {
        Finding disk = Finding.ok("journal-disk", "/var/lib/j is on ext4, 3 GiB free");
        assertThat(findings(facts(State.MISSING, DISK), REGISTRY))
                .containsExactly(Finding.ok("journal", "/var/lib/j is not there, and can be made"), disk);
        assertThat(findings(facts(State.EMPTY, DISK), REGISTRY))
                .containsExactly(Finding.ok("journal", "none in /var/lib/j yet, and it can be made"), disk);
        assertThat(findings(facts(State.IN_USE, DISK), REGISTRY))
                .containsExactly(Finding.ok("journal", "/var/lib/j is in use by pid 4711"), disk);
    }

    @Test
    void warnsOfDisksThatForgetAndRefusesThoseOfOtherHosts() {
        assertThat(findings(facts(State.EMPTY, new Disk("tmpfs", 5L << 20)), null))
                .last()
                .isEqualTo(Finding.warning(
                        "journal-disk",
                        "/var/lib/j is on tmpfs, 5 MiB free: it does not outlast a restart of the host or container",
                        "choose a folder on a local disk"));
        assertThat(findings(facts(State.EMPTY, new Disk("nfs4", 5L << 20)), null))
                .last()
                .isEqualTo(Finding.failure(
                        "journal-disk",
                        "/var/lib/j is on nfs4, 5 MiB free: neither locks nor syncs mean enough on a network file system",
                        "choose a folder on a local disk"));
    }

    @Test
    void saysWhatAJournalProves() {
        assertThat(read("r1", NOW + 60_000, NOW + 900))
                .containsExactly(
                        Finding.ok(
                                "journal",
                                "/var/lib/j: worker 7 (epoch 3) was held until 2026-12-01T00:01:00.000Z (in 60 s): a start"
                                        + " until then can go on with it"),
                        Finding.ok("journal-disk", "/var/lib/j is on ext4, 3 GiB free"),
                        Finding.ok(
                                "journal-clock",
                                "the last bound of worker 7 is 2026-12-01T00:00:00.900Z, this node's clock has reached it"
                                        + " or will within a second"));
        assertThat(read("r1", NOW - 60_000, NOW - 60_000))
                .first()
                .isEqualTo(Finding.ok(
                        "journal",
                        "/var/lib/j: worker 7 (epoch 3) was held until 2026-11-30T23:59:00.000Z (60 s ago): the next"
                                + " start leases anew"));
        assertThat(read("r2", NOW + 60_000, NOW))
                .first()
                .isEqualTo(Finding.warning(
                        "journal",
                        "/var/lib/j: the journal is of registry orders/r2, not of orders/r1, and proves nothing for it",
                        "give each registry's nodes a journal folder of their own"));
    }

    @Test
    void saysThatTheClockWasSetBack() {
        assertThat(read("r1", NOW + 60_000, NOW + 6_000))
                .last()
                .isEqualTo(Finding.warning(
                        "journal-clock",
                        "the last bound of worker 7 is 2026-12-01T00:00:06.000Z, 6000 ms ahead of this node's clock",
                        "the clock was set back: ids wait until it is there"));
        assertThat(read("r1", NOW + 60_000, NOW + 6_001))
                .last()
                .isEqualTo(Finding.failure(
                        "journal-clock",
                        "the last bound of worker 7 is 2026-12-01T00:00:06.001Z, 6001 ms ahead of this node's clock",
                        "the clock was set back: correct it (NTP)"));
    }

    /** Its bound is no word of this file, so that the clock is not held against it. */
    @Test
    void saysThatACopyProvesNothing() {
        JournalEntry entry =
                new JournalEntry(1, "r1", Layout.CLASSIC, 7, 3, "t", null, NOW + 60_000, NOW - 9_000, false, "other@h");
        JournalReading copied = new JournalReading(Status.COPIED, entry, "the journal was written to another file");
        assertThat(findings(new JournalFacts(FOLDER, State.READ, DISK, copied, -1, ""), REGISTRY))
                .containsExactly(
                        Finding.warning(
                                "journal",
                                "/var/lib/j: the journal was written to another file",
                                "never copy a journal; the next start asks the coordinator for another worker id"),
                        Finding.ok("journal-disk", "/var/lib/j is on ext4, 3 GiB free"),
                        Finding.ok(
                                "journal-clock",
                                "the last bound of worker 7 is 2026-11-30T23:59:51.000Z, this node's clock has reached it"
                                        + " or will within a second"));
    }

    @Test
    void saysThatADamagedJournalProvesNothing() {
        JournalReading damaged = new JournalReading(Status.DAMAGED, null, "the journal is damaged");
        assertThat(findings(new JournalFacts(FOLDER, State.READ, DISK, damaged, -1, ""), REGISTRY))
                .first()
                .isEqualTo(Finding.warning(
                        "journal",
                        "/var/lib/j: the journal is damaged",
                        "see whether that disk fails; the next start asks the coordinator for another worker id"));
    }
}
