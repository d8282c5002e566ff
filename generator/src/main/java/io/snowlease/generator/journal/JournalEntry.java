package io.snowlease.generator.journal;

import io.snowlease.generator.Layout;
import io.snowlease.generator.WorkerLease;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the journal holds of a lease. Bounds are ms since 1970 UTC, exclusive.
 *
 * @param sequence number of the entry; the newest wins
 * @param registryId the registry that granted the lease
 * @param layout the layout, with its epoch instant
 * @param worker worker id
 * @param epoch fencing epoch of the lease
 * @param token proof of ownership at the coordinator
 * @param resumeToken token of a resume that was about to be sent, or null: the coordinator may hold either
 * @param untilMillis the lease's bound when the entry was written; it may have moved ahead since
 * @param reservedMillis every timestamp that was issued under the lease is below this; at most {@code untilMillis}
 * @param closed whether the lease was given up for good
 * @param origin the file and the host it was written to: a copy elsewhere proves nothing
 */
public record JournalEntry(
        long sequence,
        String registryId,
        Layout layout,
        int worker,
        long epoch,
        String token,
        @Nullable String resumeToken,
        long untilMillis,
        long reservedMillis,
        boolean closed,
        String origin) {

    private static final int MAX_TEXT_BYTES = 700;

    /** Checks that it is whole and consistent. */
    public JournalEntry {
        Objects.requireNonNull(layout, "layout");
        requireFits("registryId", registryId);
        requireFits("token", token);
        requireFits("origin", origin);
        if (resumeToken != null) {
            requireFits("resumeToken", resumeToken);
        }
        if (sequence < 1) {
            throw new IllegalArgumentException("must be >= 1: sequence=" + sequence);
        }
        if (worker < 0 || worker > layout.maxWorkerId()) {
            throw new IllegalArgumentException("must be 0 to " + layout.maxWorkerId() + ": worker=" + worker);
        }
        if (reservedMillis > untilMillis) {
            throw new IllegalArgumentException(
                    "must be <= untilMillis=" + untilMillis + ": reservedMillis=" + reservedMillis);
        }
    }

    private static void requireFits(String name, String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_TEXT_BYTES) {
            throw new IllegalArgumentException(
                    name + " must be at most " + MAX_TEXT_BYTES + " bytes of UTF-8: it has " + bytes);
        }
    }

    boolean isSameWorker(JournalEntry that) {
        return worker == that.worker && registryId.equals(that.registryId) && layout.equals(that.layout);
    }

    boolean isOfLease(String otherRegistry, Layout otherLayout, String otherToken, WorkerLease lease) {
        return !closed
                && token.equals(otherToken)
                && epoch == lease.epoch()
                && worker == lease.workerId()
                && registryId.equals(otherRegistry)
                && layout.equals(otherLayout);
    }

    JournalEntry reserved(long newSequence, long newUntil, long newReserved) {
        return new JournalEntry(
                newSequence,
                registryId,
                layout,
                worker,
                epoch,
                token,
                resumeToken,
                newUntil,
                newReserved,
                closed,
                origin);
    }

    JournalEntry resuming(long newSequence, String newResumeToken) {
        return new JournalEntry(
                newSequence,
                registryId,
                layout,
                worker,
                epoch,
                token,
                newResumeToken,
                untilMillis,
                reservedMillis,
                closed,
                origin);
    }

    JournalEntry closed(long newSequence, long newReserved) {
        return new JournalEntry(
                newSequence,
                registryId,
                layout,
                worker,
                epoch,
                token,
                resumeToken,
                untilMillis,
                newReserved,
                true,
                origin);
    }

    /** Without the tokens: this goes to logs. */
    @Override
    public String toString() {
        return "JournalEntry[sequence=" + sequence + ", registryId=" + registryId + ", layout=" + layout + ", worker="
                + worker + ", epoch=" + epoch + ", resuming=" + (resumeToken != null) + ", untilMillis=" + untilMillis
                + ", reservedMillis=" + reservedMillis + ", closed=" + closed + "]";
    }
}
