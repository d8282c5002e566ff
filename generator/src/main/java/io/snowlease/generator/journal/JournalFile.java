package io.snowlease.generator.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * The journal's file: two slots of one page each, made once at full length and then only overwritten. Not thread-safe.
 *
 * <h2>Why two slots</h2>
 *
 * <p>A write that a crash interrupts leaves its slot torn. With one slot that would be the end of the proof; with two the
 * other still holds the entry before, and until the write was synced nobody has used what it allowed.
 *
 * <p>The usual way is to alternate: entry n in one slot, n + 1 in the other. Then a slot that is damaged <em>later</em>
 * (a bad sector, a file cut short) looks just like one torn in the writing, the reader falls back to entry n, and its
 * lower {@code reserved} would let ids be issued again. So every entry is written to <em>both</em> slots, one after the
 * other. At rest both hold the same, and one damaged slot loses nothing; only a crash between the two writes together
 * with damage to the slot written first could.
 *
 * <h2>Order</h2>
 *
 * <ol>
 *   <li>Write the slot that does not hold the newest durable entry (either, if both do).
 *   <li>Sync. The entry is durable: what it allows may be used from here on, so an id waits for one sync only.
 *   <li>Write the other slot, and sync.
 * </ol>
 *
 * <p>After a failed write or sync the contents of that slot on disk are unknown, even if a later sync succeeds: the
 * kernel may report an error once and forget the pages [1]. So that slot is the first to be rewritten, whole, and {@link
 * Journal} lets it vouch for nothing until another lease is recorded.
 *
 * <h2>Reading</h2>
 *
 * <p>The length must be exact: no crash changes it, as the file is renamed into place when it is complete. Of two
 * readable slots the higher sequence wins; equal ones must be equal in every byte. A file made and never recorded to
 * holds two blank slots, with checksums, so that a file full of zeros is damage and not innocence.
 *
 * <p>[1] "PostgreSQL's fsync() surprise", LWN 2018; Rebello et al., "Can Applications Recover from fsync Failures?",
 * USENIX ATC 2020.
 */
final class JournalFile implements Closeable {
    static final int BYTES = 2 * Slot.BYTES;

    private static final int BOTH_SURE = -1;

    private final Path path;
    private final FileOps ops;
    private final FileOps.OpenFile file;
    private final String identity;
    private final String origin;
    private final JournalReading found;
    private long sequence;
    private int unsureSlot;
    private long syncs;

    /** Opens the file, and makes it where it is missing; the folder must be there, and locked. */
    JournalFile(Path path, FileOps ops) throws IOException {
        this.path = path;
        this.ops = ops;
        boolean made = ops.isMissing(path);
        if (made) {
            make();
        }
        this.file = ops.open(path);
        try {
            this.identity = ops.identity(path);
            this.origin = identity + "@" + ops.host();
            long length = file.length();
            byte[] bytes = length == BYTES ? file.read(BYTES) : new byte[0];
            JournalReading read = length == BYTES
                    ? read(bytes)
                    : JournalReading.damaged(
                            "the journal must have " + BYTES + " bytes: it has " + length + ", and proves nothing");
            this.found = read.forOrigin(origin);
            this.unsureSlot = unsureSlotOf(bytes);
            JournalEntry newest = found.entry();
            this.sequence = newest == null ? 0 : newest.sequence();
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    private void make() throws IOException {
        Path unfinished = path.resolveSibling(path.getFileName() + ".new");
        byte[] blank = Slot.BLANK.encode();
        try (FileOps.OpenFile fresh = ops.open(unfinished)) {
            fresh.setLength(BYTES);
            fresh.write(0, blank);
            fresh.write(Slot.BYTES, blank);
            fresh.sync();
        }
        ops.rename(unfinished, path);
        Path folder = path.getParent();
        if (folder != null) {
            ops.syncFolder(folder);
        }
    }

    /** This file on this host: one that is copied, or put back from a copy, is another. */
    String origin() {
        return origin;
    }

    /** What was there when the file was opened. */
    JournalReading found() {
        return found;
    }

    /** What these bytes hold. */
    static JournalReading read(byte[] bytes) {
        if (bytes.length != BYTES) {
            return JournalReading.damaged(
                    "the journal must have " + BYTES + " bytes: it has " + bytes.length + ", and proves nothing");
        }
        Slot first = Slot.decode(bytes, 0);
        Slot second = Slot.decode(bytes, Slot.BYTES);
        if (first == null && second == null) {
            return JournalReading.damaged("the journal is damaged: the checksum of neither slot is right");
        }
        if (first != null && second != null && first.sequence() == second.sequence() && !first.equals(second)) {
            return JournalReading.damaged("the journal is damaged: its slots contradict each other");
        }
        Slot newest = second == null || (first != null && first.sequence() >= second.sequence()) ? first : second;
        JournalEntry entry = newest == null ? null : newest.entry();
        return entry == null ? JournalReading.missing("the journal is new") : JournalReading.of(entry);
    }

    private static int unsureSlotOf(byte[] bytes) {
        Slot first = Slot.decode(bytes, 0);
        Slot second = bytes.length < BYTES ? null : Slot.decode(bytes, Slot.BYTES);
        if (first == null || second == null) {
            return first == null ? 0 : 1;
        }
        return first.equals(second) ? BOTH_SURE : first.sequence() < second.sequence() ? 0 : 1;
    }

    /** A number above those of all entries that were ever written, or tried. */
    long nextSequence() {
        return ++sequence;
    }

    /** Syncs so far. */
    long syncs() {
        return syncs;
    }

    /**
     * Writes the entry to both slots.
     *
     * @param whenDurable called once the entry is durable, before the second slot is written
     */
    void write(JournalEntry entry, Runnable whenDurable) throws IOException {
        requireInPlace();
        if (file.length() != BYTES) {
            file.setLength(BYTES);
        }
        byte[] bytes = new Slot(entry.sequence(), entry).encode();
        int first = unsureSlot == BOTH_SURE ? 0 : unsureSlot;
        unsureSlot = first;
        put(first, bytes);
        unsureSlot = 1 - first;
        whenDurable.run();
        put(1 - first, bytes);
        unsureSlot = BOTH_SURE;
    }

    /** Entries written to a file that was deleted or replaced would be durable for nobody. */
    private void requireInPlace() throws IOException {
        if (!identity.equals(ops.identity(path))) {
            throw new IOException("another file has taken its place");
        }
    }

    private void put(int slot, byte[] bytes) throws IOException {
        file.write((long) slot * Slot.BYTES, bytes);
        file.sync();
        syncs++;
    }

    /** For messages. */
    static String reasonOf(Throwable e) {
        String message = e.getMessage();
        if (message == null) {
            return e.getClass().getSimpleName();
        }
        // Its message is the bare path.
        return e instanceof FileSystemException fse && fse.getReason() == null
                ? e.getClass().getSimpleName().replace("Exception", "") + ": " + message
                : message;
    }

    void syncFolder() throws IOException {
        Path folder = path.getParent();
        if (folder != null) {
            ops.syncFolder(folder);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
