package io.snowlease.generator.journal;

import io.snowlease.generator.Layout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a journal held when it was opened. Only {@link Status#PROOF} proves anything: that this folder's last process held
 * the entry's lease, and issued no timestamp at or above its {@code reserved}.
 *
 * <p>It proves nothing about <em>now</em>. In particular old contents that were written over the file in place can't be told
 * from the newest by looking at them: whoever resumes must hold {@code reserved} against the {@code last} that the coordinator
 * knows, and where there is no coordinator nobody notices.
 *
 * @param status what was found
 * @param entry the newest entry; null iff the status is {@code MISSING} or {@code DAMAGED}
 * @param reason why it is no proof, for people; empty for a proof
 */
public record JournalReading(Status status, @Nullable JournalEntry entry, String reason) {
    /** What was found. */
    public enum Status {
        /** The entry of a lease that was not closed. */
        PROOF,
        /** No lease was ever recorded here. */
        MISSING,
        /** The lease was given up; its {@code reserved} is still above every timestamp issued under it. */
        CLOSED,
        /** There is a file, but no entry in it can be trusted: what was issued before is unknown. */
        DAMAGED,
        /**
         * The file was copied here: the original may have gone on, so that neither its token
         * nor its {@code reserved} says anything certain.
         */
        COPIED,
        /** The entry is of another layout or epoch instant. */
        OTHER_LAYOUT,
        /** The entry is of another registry. */
        OTHER_REGISTRY
    }

    /** Checks that an entry is there iff the status says so. */
    public JournalReading {
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(reason, "reason");
        boolean empty = status == Status.MISSING || status == Status.DAMAGED;
        if (empty != (entry == null)) {
            throw new IllegalArgumentException("an entry must be there unless it is missing or damaged: " + status);
        }
    }

    /** Whether the entry proves a lease that can be resumed. */
    public boolean isProof() {
        return status == Status.PROOF;
    }

    /** This reading, as one who uses this layout may use it. */
    public JournalReading forLayout(Layout layout) {
        if (entry == null || entry.layout().equals(layout)) {
            return this;
        }
        return new JournalReading(
                Status.OTHER_LAYOUT,
                entry,
                "the journal is of layout " + entry.layout() + ", not of " + layout + ", and proves nothing for it");
    }

    /** This reading, as one who uses this registry may use it. */
    public JournalReading forRegistry(String registryId) {
        if (entry == null || entry.registryId().equals(registryId)) {
            return this;
        }
        return new JournalReading(
                Status.OTHER_REGISTRY,
                entry,
                "the journal is of registry " + entry.registryId() + ", not of " + registryId
                        + ", and proves nothing for it");
    }

    /** This reading, as one whose file this is may use it. */
    JournalReading forOrigin(String origin) {
        if (entry == null || entry.origin().equals(origin)) {
            return this;
        }
        return new JournalReading(
                Status.COPIED,
                entry,
                "the journal was written to another file (" + entry.origin() + ") than this (" + origin
                        + "): a copy proves nothing");
    }

    static JournalReading of(JournalEntry entry) {
        return entry.closed()
                ? new JournalReading(
                        Status.CLOSED,
                        entry,
                        "the journal's lease of worker " + entry.worker() + " (epoch " + entry.epoch() + ") was closed")
                : new JournalReading(Status.PROOF, entry, "");
    }

    static JournalReading missing(String reason) {
        return new JournalReading(Status.MISSING, null, reason);
    }

    static JournalReading damaged(String reason) {
        return new JournalReading(Status.DAMAGED, null, reason);
    }
}
