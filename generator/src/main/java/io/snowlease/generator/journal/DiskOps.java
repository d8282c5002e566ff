package io.snowlease.generator.journal;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The real file system. Files are {@link RandomAccessFile}s and synced by their descriptor: a {@link FileChannel} that an
 * interrupted thread uses is closed under everybody, and with the lock file's the lock would go.
 */
enum DiskOps implements FileOps {
    /** The only instance. */
    INSTANCE;

    /** Windows opens no folder, and keeps the names itself. */
    private static final boolean FOLDERS_SYNC = File.separatorChar == '/';

    private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");

    @Override
    public void makeFolder(Path folder) throws IOException {
        List<Path> grown = new ArrayList<>();
        for (Path each = folder.toAbsolutePath(); each != null && Files.notExists(each); each = each.getParent()) {
            Path parent = each.getParent();
            if (parent != null) {
                grown.add(parent);
            }
        }
        Files.createDirectories(folder);
        Collections.reverse(grown);
        for (Path parent : grown) {
            syncFolder(parent);
        }
    }

    @Override
    public boolean isMissing(Path file) {
        return Files.notExists(file);
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        return new DiskFile(new RandomAccessFile(file.toFile(), "rw"));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        if (!FOLDERS_SYNC) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            while (!syncedFolder(folder)) {
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** False if an interrupt came between. */
    private static boolean syncedFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
            return true;
        } catch (ClosedByInterruptException e) {
            return false;
        }
    }

    @Override
    public String identity(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path.toRealPath().toString() : key.toString();
    }

    @Override
    public String host() {
        try {
            return Files.readString(KERNEL_NAME).strip();
        } catch (IOException e) {
            String name = System.getenv("COMPUTERNAME");
            return name == null ? "" : name;
        }
    }

    /** One open file. */
    private static final class DiskFile implements OpenFile {
        private final RandomAccessFile file;

        DiskFile(RandomAccessFile file) {
            this.file = file;
        }

        @Override
        public long length() throws IOException {
            return file.length();
        }

        @Override
        public void setLength(long bytes) throws IOException {
            file.setLength(bytes);
        }

        @Override
        public byte[] read(int atMost) throws IOException {
            byte[] bytes = new byte[(int) Math.min(atMost, file.length())];
            file.seek(0);
            file.readFully(bytes);
            return bytes;
        }

        @Override
        public void write(long position, byte[] bytes) throws IOException {
            file.seek(position);
            file.write(bytes);
        }

        @Override
        public void sync() throws IOException {
            file.getFD().sync();
        }

        @Override
        public boolean tryLock() throws IOException {
            // Not released by itself: it goes with the file.
            return file.getChannel().tryLock() != null;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
