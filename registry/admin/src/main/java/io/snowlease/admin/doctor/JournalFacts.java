package io.snowlease.admin.doctor;

import io.snowlease.generator.journal.Journal;
import io.snowlease.generator.journal.JournalException;
import io.snowlease.generator.journal.JournalLockedException;
import io.snowlease.generator.journal.JournalReading;
import io.snowlease.registry.spi.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A journal's folder as it is. Makes nothing in it: a journal that is there is opened, which takes its lock for a moment,
 * unless another process has it.
 *
 * @param folder the folder, absolute
 * @param state what it is like
 * @param disk what it is on, or will be; null if that can't be told
 * @param reading what is in the journal; null unless it was opened
 * @param holderPid pid of the process that uses it, -1 if unknown or nobody does
 * @param reason why it can't be used, or empty
 */
record JournalFacts(
        Path folder,
        State state,
        @Nullable Disk disk,
        @Nullable JournalReading reading,
        long holderPid,
        String reason) {

    /** What a journal's folder may be like. */
    enum State {
        /** There is no folder; it can be made. */
        MISSING,
        /** There is a folder, without a journal; one can be made. */
        EMPTY,
        /** A process uses it. */
        IN_USE,
        /** Nobody uses it, and it could be read. */
        READ,
        /** It can't be used. */
        UNUSABLE
    }

    /** Looks at one. */
    static JournalFacts of(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        Path existing = absolute;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null || !Files.isDirectory(existing)) {
            return unusable(absolute, null, existing + " must be a folder");
        }
        Disk disk;
        try {
            disk = Disk.of(existing);
        } catch (IOException e) {
            return unusable(absolute, null, "can't tell what it is on: " + e);
        }
        if (Journal.isIn(absolute)) {
            return opened(absolute, disk);
        }
        if (!Files.isWritable(existing)) {
            return unusable(absolute, disk, existing + " must be writable for this user");
        }
        return new JournalFacts(absolute, existing.equals(absolute) ? State.EMPTY : State.MISSING, disk, null, -1, "");
    }

    private static JournalFacts opened(Path folder, Disk disk) {
        try (Journal journal = Journal.open(folder)) {
            return new JournalFacts(folder, State.READ, disk, journal.found(), -1, "");
        } catch (JournalLockedException e) {
            return new JournalFacts(folder, State.IN_USE, disk, null, e.holderPid(), "");
        } catch (JournalException e) {
            return unusable(folder, disk, String.valueOf(e.getMessage()));
        }
    }

    private static JournalFacts unusable(Path folder, @Nullable Disk disk, String reason) {
        return new JournalFacts(folder, State.UNUSABLE, disk, null, -1, reason);
    }
}
