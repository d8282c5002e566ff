package io.snowlease.admin.e2e;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** What can happen to a journal's folder while nobody has it open, or while somebody has. */
final class JournalFiles {
    private static final int SLOT_BYTES = 4096;
    private static final int SEQUENCE_AT = 8;

    private final Path folder;

    JournalFiles(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    Path file() {
        return folder.resolve("journal");
    }

    void truncate(int bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    /** Leaves the slot half-written that the next write would have gone to. */
    void tearNextWrite() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file()));
        boolean first = bytes.getLong(SEQUENCE_AT) <= bytes.getLong(SLOT_BYTES + SEQUENCE_AT);
        overwriteHalf(first ? 0 : SLOT_BYTES);
    }

    void tearBoth() throws IOException {
        overwriteHalf(0);
        overwriteHalf(SLOT_BYTES);
    }

    private void overwriteHalf(int start) throws IOException {
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            ByteBuffer half = ByteBuffer.allocate(SLOT_BYTES / 2);
            while (half.hasRemaining()) {
                half.put((byte) 0xA5);
            }
            channel.write(half.flip(), start);
        }
    }

    /** A copy of the folder, as {@code cp -a} makes it. */
    JournalFiles copyTo(Path target) throws IOException {
        Files.createDirectories(target);
        for (String name : new String[] {"journal", "lock"}) {
            Files.copy(folder.resolve(name), target.resolve(name));
        }
        return new JournalFiles(target);
    }

    /** As if it had been put back from a backup. */
    void replaceByACopy() throws IOException {
        Path copy = folder.resolve("copy");
        Files.copy(file(), copy);
        Files.move(copy, file(), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Writes the contents of another one over this, in place. */
    void overwriteWith(JournalFiles other) throws IOException {
        Files.write(file(), Files.readAllBytes(other.file()), StandardOpenOption.WRITE);
    }
}
