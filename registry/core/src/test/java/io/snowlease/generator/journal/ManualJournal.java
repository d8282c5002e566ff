package io.snowlease.generator.journal;

import io.snowlease.generator.Clocks;
import java.nio.file.Path;

/** A folder on a simulated disk; whoever has opened the journal in it moves its bound by hand. */
public final class ManualJournal {
    private static final Path FOLDER = Path.of("/j");

    private MemoryDisk disk = new MemoryDisk();

    /** As {@link Journal#open(Path, Clocks)}, without the thread. */
    public Journal open(Clocks clocks) {
        return Journal.open(FOLDER, clocks, disk, false);
    }

    /** What the journal's thread does when it is woken. */
    public static void look(Journal journal) {
        long unusedNext = journal.look();
    }

    /** The process ends at once; of an unsynced write so many bytes have made it. */
    public void crash(int tornAt) {
        try {
            System.getProperties().remove("io.snowlease.journal.folder." + disk.identity(FOLDER));
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
        disk.heal();
        disk = disk.crash(tornAt);
    }

    /** Syncs fail from here on. */
    public void failSyncs() {
        disk.fail("sync", MemoryDisk.diskFull());
    }

    /** Everything works again. */
    public void heal() {
        disk.heal();
    }

    /** What is in the file. */
    public byte[] contents() {
        return disk.bytesOf(FOLDER.resolve(Journal.FILE));
    }

    /** Writes over the file in place: the operator's restore that can't be told from the newest. */
    public void overwrite(byte[] contents) {
        disk.overwrite(FOLDER.resolve(Journal.FILE), contents);
    }

    /** Puts a copy in the file's place, or to another folder. */
    public void putCopy(byte[] contents) {
        disk.put(FOLDER.resolve(Journal.FILE), contents);
        disk.replace(FOLDER.resolve(Journal.FILE));
    }
}
