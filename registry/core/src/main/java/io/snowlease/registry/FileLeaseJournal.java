package io.snowlease.registry;

import io.snowlease.generator.Layout;
import io.snowlease.generator.WorkerLease;
import io.snowlease.generator.journal.Journal;
import io.snowlease.generator.journal.JournalEntry;
import io.snowlease.generator.journal.JournalException;
import io.snowlease.generator.journal.JournalReading;
import io.snowlease.generator.journal.JournalState;
import io.snowlease.generator.journal.JournalledLease;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.RegistryRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link LeaseJournal} in a {@link Journal}, which is closed with it. */
final class FileLeaseJournal implements LeaseJournal {
    private static final Logger LOG = LoggerFactory.getLogger(FileLeaseJournal.class);

    private final Journal journal;
    private final String namespace;
    private final long foundFloor;
    private @Nullable Proof found;
    private volatile @Nullable HeldLease held;
    private @Nullable JournalledLease vouched;
    private final List<String> resumeTokens = new ArrayList<>();
    private boolean inUse;
    private volatile boolean resumesNext;
    private volatile boolean discarded;
    private boolean discardWritten;

    FileLeaseJournal(Journal journal, String namespace) {
        this.journal = journal;
        this.namespace = namespace;
        JournalReading reading = journal.found();
        JournalEntry entry = reading.entry();
        boolean ours = entry != null && entry.registryId().startsWith(RegistryRecord.idIn(namespace, ""));
        this.foundFloor = ours && entry != null ? entry.reservedMillis() : Long.MIN_VALUE;
        if (reading.isProof() && ours && entry != null) {
            this.found = proofOf(entry);
        } else if (reading.status() != JournalReading.Status.MISSING
                && reading.status() != JournalReading.Status.CLOSED) {
            tellNoProof(reading.isProof() ? "it is of another namespace, " + entry : reading.reason());
        }
    }

    private Proof proofOf(JournalEntry entry) {
        String resumeToken = entry.resumeToken();
        if (resumeToken != null && !resumeTokens.contains(resumeToken)) {
            resumeTokens.add(resumeToken);
        }
        return new Proof(
                new HeldBound(
                        entry.worker(),
                        entry.epoch(),
                        entry.token(),
                        entry.registryId()
                                .substring(RegistryRecord.idIn(namespace, "").length()),
                        entry.reservedMillis(),
                        entry.untilMillis()),
                entry.layout(),
                List.copyOf(resumeTokens));
    }

    @Override
    public @Nullable Proof proof() {
        if (discarded) {
            return null;
        }
        HeldLease lease = held;
        JournalledLease stopped = vouched;
        if (lease == null || stopped == null) {
            return found;
        }
        return standsStill() ? presentProof(lease.bound(), stopped) : null;
    }

    private Proof presentProof(HeldBound bound, JournalledLease stopped) {
        return new Proof(
                new HeldBound(
                        bound.worker(),
                        bound.epoch(),
                        bound.token(),
                        bound.registryId(),
                        stopped.reservedMillis(),
                        bound.until()),
                stopped.layout(),
                List.copyOf(resumeTokens));
    }

    @Override
    public void discardProof(String why) {
        discarded = true;
        discardWritten = false;
        found = null;
        resumesNext = false;
        resumeTokens.clear();
        tellNoProof(why);
        HeldLease stopped = held;
        if (stopped != null) {
            long unusedLast = stopped.end(why);
        }
        ensureDiscarded();
    }

    @Override
    public void ensureDiscarded() {
        if (discarded && !discardWritten) {
            journal.discard();
            discardWritten = true;
        }
    }

    @Override
    public boolean knowsNamespace() {
        return foundFloor != Long.MIN_VALUE;
    }

    private void tellNoProof(String why) {
        LOG.warn("the journal in {} proves no lease that could be gone on with: {}", journal.folder(), why);
    }

    @Override
    public Proof beginResume(Proof proof, String token) {
        JournalEntry entry = journal.recordResume(token);
        Proof recorded = proofOf(entry);
        HeldBound bound = recorded.held();
        // The process may have seen a later bound than the journal's.
        long until = Math.max(bound.until(), proof.held().until());
        return new Proof(
                new HeldBound(bound.worker(), bound.epoch(), bound.token(), bound.registryId(), bound.floor(), until),
                recorded.layout(),
                recorded.resumeTokens());
    }

    @Override
    public long floorMillis() {
        return foundFloor;
    }

    @Override
    public WorkerLease vouchFor(HeldLease lease, Layout layout) {
        HeldBound bound = lease.bound();
        JournalledLease recorded;
        try {
            recorded = journal.record(RegistryRecord.idIn(namespace, bound.registryId()), layout, bound.token(), lease);
        } catch (JournalException e) {
            // Each lease that can't be recorded costs a worker id for its length: the disk is tried before the next.
            discardWritten = false;
            throw e;
        }
        Proof before = found;
        // Started alone after a resume that may have been written: that comes first when the coordinator is back.
        resumesNext = before != null && before.held().token().equals(bound.token()) && !resumeTokens.isEmpty();
        if (!resumesNext) {
            resumeTokens.clear();
        }
        found = null;
        discarded = false;
        held = lease;
        vouched = recorded;
        inUse = true;
        return recorded;
    }

    @Override
    public void requireUnused() {
        if (inUse) {
            throw new IllegalStateException("a journal must serve one generator at a time: the one in "
                    + journal.folder() + " has one; close it, or connect another registry with a journal of its own");
        }
    }

    @Override
    public void renewed() {
        JournalledLease present = vouched;
        if (present != null) {
            present.renewed();
        }
    }

    @Override
    public void markClosed(HeldLease lease, String reason) {
        JournalledLease present = vouched;
        if (held == lease && present != null) {
            inUse = false;
            resumesNext = false;
            present.markClosed(reason);
            held = null;
            vouched = null;
        }
    }

    @Override
    public boolean standsStill() {
        JournalState state = journal.state();
        return held != null
                && (discarded || resumesNext || state == JournalState.FAILED || state == JournalState.RESUMING);
    }

    @Override
    public void abandoned(HeldLease lease) {
        if (held == lease) {
            inUse = false;
        }
    }

    @Override
    public String where() {
        return "the journal in " + journal.folder();
    }

    @Override
    public @Nullable String failure() {
        return journal.failure();
    }

    @Override
    public void close() {
        journal.close();
    }
}
