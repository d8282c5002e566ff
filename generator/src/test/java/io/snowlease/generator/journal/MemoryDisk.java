package io.snowlease.generator.journal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A disk with a cache that forgets: what is written is seen at once, and survives {@link #crash} only as far as it was
 * synced, plus as many bytes of the last unsynced write as the test likes. Operations fail on demand. Thread-safe.
 */
final class MemoryDisk implements FileOps {
    private static final AtomicLong NUMBERS = new AtomicLong();

    /** Decides before each operation whether it fails. */
    interface Fault {
        void check(String operation, Path path) throws IOException;
    }

    private final Map<Path, Content> files = new TreeMap<>();
    private volatile Fault fault = (operation, path) -> {};
    private volatile int shortWriteBytes = -1;
    private final AtomicLong operations = new AtomicLong();
    private volatile String host = "host";
    private final long number = NUMBERS.incrementAndGet();

    void failWhen(Fault newFault) {
        fault = newFault;
    }

    void fail(String failing, IOException failure) {
        fault = (operation, path) -> {
            if (operation.equals(failing)) {
                throw failure;
            }
        };
    }

    /** The next writes put so many bytes, and then there is no space left. */
    void shortWrites(int bytes) {
        shortWriteBytes = bytes;
    }

    void heal() {
        fault = (operation, path) -> {};
        shortWriteBytes = -1;
    }

    synchronized byte[] bytesOf(Path path) {
        return content(path).cached.clone();
    }

    synchronized void put(Path path, byte[] bytes) {
        Content content = files.computeIfAbsent(path, p -> new Content());
        content.cached = bytes.clone();
        content.durable = bytes.clone();
        content.unsyncedAt = -1;
    }

    synchronized void overwrite(Path path, byte[] bytes) {
        Content content = content(path);
        content.cached = bytes.clone();
        content.durable = bytes.clone();
    }

    void moveTo(String otherHost) {
        host = otherHost;
    }

    synchronized void replace(Path path) {
        Content old = content(path);
        Content content = new Content();
        content.cached = old.cached.clone();
        content.durable = old.durable.clone();
        files.put(path, content);
    }

    /** Power is lost: of each file's last unsynced write, so many bytes have made it. */
    synchronized MemoryDisk crash(int tornAt) {
        MemoryDisk after = new MemoryDisk();
        files.forEach((path, content) -> {
            Content left = new Content(content.number);
            left.cached = content.afterCrash(tornAt);
            left.durable = left.cached.clone();
            after.files.put(path, left);
        });
        return after;
    }

    long operations() {
        return operations.get();
    }

    private void check(String operation, Path path) throws IOException {
        operations.incrementAndGet();
        fault.check(operation, path);
    }

    private Content content(Path path) {
        Content content = files.get(path);
        if (content == null) {
            throw new AssertionError("no file " + path);
        }
        return content;
    }

    @Override
    public void makeFolder(Path folder) throws IOException {
        check("makeFolder", folder);
    }

    @Override
    public synchronized boolean isMissing(Path file) {
        return !files.containsKey(file);
    }

    @Override
    public synchronized OpenFile open(Path file) throws IOException {
        check("open", file);
        return new OpenContent(file, files.computeIfAbsent(file, p -> new Content()));
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        check("rename", from);
        files.put(to, content(from));
        files.remove(from);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        check("syncFolder", folder);
    }

    @Override
    public synchronized String identity(Path path) throws IOException {
        Content content = files.get(path);
        if (content == null && path.endsWith(Journal.FILE)) {
            throw new NoSuchFileException(path.toString());
        }
        return content == null ? "disk " + number + path : "file " + content.number;
    }

    @Override
    public String host() {
        return host;
    }

    static IOException diskFull() {
        return new IOException("No space left on device");
    }

    static IOException readOnly(Path path) {
        return new AccessDeniedException(path.toString());
    }

    private static final class Content {
        final long number;
        byte[] cached = new byte[0];
        byte[] durable = new byte[0];
        int unsyncedAt = -1;
        byte @Nullable [] unsynced;

        Content() {
            this(NUMBERS.incrementAndGet());
        }

        Content(long number) {
            this.number = number;
        }

        byte[] afterCrash(int tornAt) {
            byte[] bytes = durable.clone();
            byte[] write = unsynced;
            if (unsyncedAt >= 0 && write != null) {
                int end = Math.min(write.length, tornAt);
                bytes = Arrays.copyOf(bytes, Math.max(bytes.length, unsyncedAt + end));
                System.arraycopy(write, 0, bytes, unsyncedAt, end);
            }
            return bytes;
        }
    }

    private final class OpenContent implements OpenFile {
        private final Path path;
        private final Content content;

        OpenContent(Path path, Content content) {
            this.path = path;
            this.content = content;
        }

        @Override
        public long length() {
            synchronized (MemoryDisk.this) {
                return content.cached.length;
            }
        }

        @Override
        public void setLength(long bytes) throws IOException {
            check("setLength", path);
            synchronized (MemoryDisk.this) {
                content.cached = Arrays.copyOf(content.cached, (int) bytes);
            }
        }

        @Override
        public byte[] read(int atMost) throws IOException {
            check("read", path);
            synchronized (MemoryDisk.this) {
                return Arrays.copyOf(content.cached, Math.min(atMost, content.cached.length));
            }
        }

        @Override
        public void write(long position, byte[] bytes) throws IOException {
            check("write", path);
            int limit = shortWriteBytes;
            byte[] written = limit < 0 ? bytes : Arrays.copyOf(bytes, Math.min(limit, bytes.length));
            synchronized (MemoryDisk.this) {
                int end = (int) position + written.length;
                content.cached = Arrays.copyOf(content.cached, Math.max(content.cached.length, end));
                System.arraycopy(written, 0, content.cached, (int) position, written.length);
                content.unsyncedAt = (int) position;
                content.unsynced = written;
            }
            if (limit >= 0) {
                throw diskFull();
            }
        }

        @Override
        public void sync() throws IOException {
            check("sync", path);
            synchronized (MemoryDisk.this) {
                content.durable = content.cached.clone();
                content.unsyncedAt = -1;
                content.unsynced = null;
            }
        }

        @Override
        public boolean tryLock() throws IOException {
            check("tryLock", path);
            return true;
        }

        @Override
        public void close() {}
    }
}
