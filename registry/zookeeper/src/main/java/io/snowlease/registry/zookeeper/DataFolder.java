package io.snowlease.registry.zookeeper;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of an embedded ZooKeeper: {@code data} (ZooKeeper's own), {@code lock} (held by the process that serves;
 * never replaced, or two could hold it), {@code port} (where it serves), {@code id} (whose data these are, so that
 * another ZooKeeper on a port of ours isn't taken for this one).
 *
 * <p>At most one object per folder and JVM may hold or try the lock: closing a second channel on the file would drop the
 * first one's lock. {@link EmbeddedCoordinator} sees to that. Guarded by it, too.
 */
final class DataFolder {
    private static final String OWNER_ONLY = "rwx------";

    private final Path folder;
    private @Nullable FileChannel channel;

    DataFolder(Path folder) {
        this.folder = folder;
    }

    /** Makes the folder, for its owner alone, and gives its one true path. */
    static Path make(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, ownerOnly());
        }
        return folder.toRealPath();
    }

    Path path() {
        return folder;
    }

    Path data() {
        return folder.resolve("data");
    }

    /** Whether no server has ever run here. */
    boolean isEmpty() throws IOException {
        if (Files.exists(folder.resolve("id"))) {
            return false;
        }
        if (!Files.isDirectory(data())) {
            return true;
        }
        try (Stream<Path> files = Files.list(data())) {
            return files.findAny().isEmpty();
        }
    }

    /** Takes the lock, unless another process has it. */
    boolean tryLock() throws IOException {
        FileChannel opened =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = opened.tryLock();
        } finally {
            if (lock == null) {
                opened.close();
            } else {
                channel = opened;
            }
        }
        return lock != null;
    }

    void unlock() throws IOException {
        FileChannel held = channel;
        channel = null;
        if (held != null) {
            held.close();
        }
    }

    void makeData() throws IOException {
        if (!Files.isDirectory(data())) {
            Files.createDirectory(data(), ownerOnly());
        }
    }

    /** The id of this folder's data, made on the first start. */
    String makeId() throws IOException {
        String known = id();
        if (known != null) {
            return known;
        }
        String made = UUID.randomUUID().toString();
        replace("id", made);
        return made;
    }

    @Nullable
    String id() throws IOException {
        return text("id");
    }

    /** What {@link #recordNewRoot} has recorded, or 0. */
    long newRoot() throws IOException {
        String root = text("root");
        try {
            return root == null ? 0 : Long.parseLong(root);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Records the transaction that made the root of a new data set: while nothing was deleted below it, what is not
     * there never was. */
    void recordNewRoot(long transaction) throws IOException {
        replace("root", Long.toString(transaction));
    }

    /** Where the server runs, or ran last. */
    OptionalInt port() throws IOException {
        String port = text("port");
        try {
            return port == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(port));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    void recordPort(int port) throws IOException {
        replace("port", Integer.toString(port));
    }

    private @Nullable String text(String name) throws IOException {
        try {
            return Files.readString(folder.resolve(name)).trim();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private void replace(String name, String text) throws IOException {
        Path written = folder.resolve(name + ".new");
        Files.writeString(written, text + "\n");
        Files.move(written, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static FileAttribute<?>[] ownerOnly() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY))
                }
                : new FileAttribute<?>[0];
    }
}
