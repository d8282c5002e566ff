package io.snowlease.generator.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The exclusive hold on a journal's folder: an operating system lock on a file of its own, which is never replaced or
 * cut, holds the pid of whoever has it, and goes with the process however that ends.
 *
 * <p>POSIX locks belong to the process, and closing <em>any</em> descriptor of the file drops them. So before the file is
 * touched, a table inside the process is asked, by the folder's identity: a second opener must not open the file, as
 * closing it again would take the first one's lock away. The table is the system properties, because a class loaded
 * twice (two web applications, say) has two of every static field. For the same reason nothing else in the process should
 * open the lock file.
 */
final class FolderLock implements Closeable {
    private static final String TABLE_PREFIX = "io.snowlease.journal.folder.";
    private static final int PID_CHARS = 20;
    /** Files that must stay open, as closing them would drop a lock that is not ours. */
    private static final Queue<FileOps.OpenFile> KEPT_OPEN = new ConcurrentLinkedQueue<>();

    private final String tableKey;
    private final Path path;
    private final String identity;
    private final FileOps ops;
    private final FileOps.OpenFile file;

    private FolderLock(String tableKey, Path path, FileOps ops, FileOps.OpenFile file) throws IOException {
        this.tableKey = tableKey;
        this.path = path;
        this.ops = ops;
        this.file = file;
        this.identity = ops.identity(path);
    }

    /** Takes the lock, or says who holds it. */
    static FolderLock take(Path folder, FileOps ops) throws IOException {
        long ownPid = ProcessHandle.current().pid();
        String tableKey = TABLE_PREFIX + ops.identity(folder);
        if (System.getProperties().putIfAbsent(tableKey, Long.toString(ownPid)) != null) {
            throw new JournalLockedException(folder, ownPid);
        }
        boolean taken = false;
        try {
            FolderLock lock = lockFile(tableKey, folder, ops, ownPid);
            taken = true;
            return lock;
        } finally {
            if (!taken) {
                System.getProperties().remove(tableKey);
            }
        }
    }

    private static FolderLock lockFile(String tableKey, Path folder, FileOps ops, long ownPid) throws IOException {
        Path path = folder.resolve(Journal.LOCK_FILE);
        boolean made = ops.isMissing(path);
        FileOps.OpenFile file = ops.open(path);
        try {
            if (!file.tryLock()) {
                throw new JournalLockedException(folder, pidIn(file.read(PID_CHARS)));
            }
            file.write(0, padded(ownPid));
            if (made) {
                ops.syncFolder(folder);
            }
            return new FolderLock(tableKey, path, ops, file);
        } catch (OverlappingFileLockException e) {
            KEPT_OPEN.add(file);
            throw new JournalLockedException(folder, ownPid);
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    private static byte[] padded(long pid) {
        return String.format("%-" + (PID_CHARS - 1) + "d\n", pid).getBytes(StandardCharsets.US_ASCII);
    }

    private static long pidIn(byte[] bytes) {
        try {
            return Long.parseLong(new String(bytes, StandardCharsets.US_ASCII).strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Another lock file under the same name would let a second process in. */
    void requireInPlace() throws IOException {
        if (!identity.equals(ops.identity(path))) {
            throw new IOException("the lock file " + path + " was replaced");
        }
    }

    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            System.getProperties().remove(tableKey);
        }
    }
}
