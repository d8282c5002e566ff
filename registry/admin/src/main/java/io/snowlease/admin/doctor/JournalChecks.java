package io.snowlease.admin.doctor;

import io.snowlease.admin.view.Instants;
import io.snowlease.generator.Layout;
import io.snowlease.generator.journal.JournalEntry;
import io.snowlease.generator.journal.JournalReading;
import io.snowlease.generator.journal.JournalReading.Status;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.spi.Disk;
import io.snowlease.registry.spi.Finding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a journal's folder can be used, what it is on, and what the journal in it would prove. */
final class JournalChecks {
    private static final String JOURNAL = "journal";
    private static final String JOURNAL_DISK = "journal-disk";
    private static final String JOURNAL_CLOCK = "journal-clock";

    /** A journal's bound is moved this far ahead of the last id. */
    private static final long AHEAD_MILLIS = 1_000;

    private JournalChecks() {}

    static List<Finding> of(
            JournalFacts facts,
            String namespace,
            @Nullable RegistryRecord registry,
            Layout layout,
            long local,
            long maxSkewMillis) {
        List<Finding> findings = new ArrayList<>();
        JournalReading reading = facts.reading();
        findings.add(
                reading == null ? folder(facts) : proof(facts, fitting(reading, namespace, registry, layout), local));
        if (facts.disk() != null) {
            findings.add(disk(facts, facts.disk()));
        }
        JournalEntry entry = reading == null ? null : reading.entry();
        if (entry != null) {
            findings.add(clock(entry, local, maxSkewMillis));
        }
        return findings;
    }

    private static Finding folder(JournalFacts facts) {
        return switch (facts.state()) {
            case MISSING -> Finding.ok(JOURNAL, facts.folder() + " is not there, and can be made");
            case EMPTY -> Finding.ok(JOURNAL, "none in " + facts.folder() + " yet, and it can be made");
            case IN_USE ->
                Finding.ok(
                        JOURNAL,
                        facts.folder() + " is in use by "
                                + (facts.holderPid() < 0 ? "another process" : "pid " + facts.holderPid()));
            default ->
                Finding.failure(
                        JOURNAL,
                        facts.folder() + " can't be used: " + facts.reason(),
                        "choose another folder, or set its permissions right");
        };
    }

    private static JournalReading fitting(
            JournalReading reading, String namespace, @Nullable RegistryRecord registry, Layout layout) {
        return registry == null || !reading.isProof()
                ? reading
                : reading.forRegistry(RegistryRecord.idIn(namespace, registry.registryId()))
                        .forLayout(layout);
    }

    private static Finding proof(JournalFacts facts, JournalReading reading, long local) {
        JournalEntry entry = reading.entry();
        String where = facts.folder() + ": ";
        if (reading.status() == Status.DAMAGED) {
            return Finding.warning(
                    JOURNAL,
                    where + reading.reason(),
                    "see whether that disk fails; the next start asks the coordinator for another worker id");
        }
        if (reading.status() == Status.COPIED) {
            return Finding.warning(
                    JOURNAL,
                    where + reading.reason(),
                    "never copy a journal; the next start asks the coordinator for another worker id");
        }
        if (entry == null || reading.status() == Status.CLOSED) {
            return Finding.ok(JOURNAL, where + reading.reason());
        }
        if (!reading.isProof()) {
            return Finding.warning(
                    JOURNAL, where + reading.reason(), "give each registry's nodes a journal folder of their own");
        }
        String lease = where + "worker " + entry.worker() + " (epoch " + entry.epoch() + ") was held until "
                + Instants.iso(entry.untilMillis()) + " (" + Instants.relative(entry.untilMillis(), local) + ")";
        return Finding.ok(
                JOURNAL,
                local < entry.untilMillis()
                        ? lease + ": a start until then can go on with it"
                        : lease + ": the next start leases anew");
    }

    private static Finding disk(JournalFacts facts, Disk disk) {
        String found = facts.folder() + " is on " + disk;
        if (disk.isNetwork()) {
            return Finding.failure(
                    JOURNAL_DISK,
                    found + ": neither locks nor syncs mean enough on a network file system",
                    "choose a folder on a local disk");
        }
        if (disk.isVolatile()) {
            return Finding.warning(
                    JOURNAL_DISK,
                    found + ": it does not outlast a restart of the host or container",
                    "choose a folder on a local disk");
        }
        return Finding.ok(JOURNAL_DISK, found);
    }

    private static Finding clock(JournalEntry entry, long local, long maxSkewMillis) {
        long behind = entry.reservedMillis() - local;
        String bound = "the last bound of worker " + entry.worker() + " is " + Instants.iso(entry.reservedMillis());
        if (behind <= AHEAD_MILLIS) {
            return Finding.ok(JOURNAL_CLOCK, bound + ", this node's clock has reached it or will within a second");
        }
        String found = bound + ", " + behind + " ms ahead of this node's clock";
        return behind > AHEAD_MILLIS + maxSkewMillis
                ? Finding.failure(JOURNAL_CLOCK, found, "the clock was set back: correct it (NTP)")
                : Finding.warning(JOURNAL_CLOCK, found, "the clock was set back: ids wait until it is there");
    }
}
