package io.snowlease.generator.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** What the journal asks of the file system, so that tests can let each of it fail. */
interface FileOps {
    /** Makes the folder and its parents where they are missing, durably. */
    void makeFolder(Path folder) throws IOException;

    /** Whether there is certainly no such file. */
    boolean isMissing(Path file);

    /** Opens for reading and writing; makes the file where it is missing, and never cuts one that is there. */
    OpenFile open(Path file) throws IOException;

    /** Renames atomically. */
    void rename(Path from, Path to) throws IOException;

    /** Makes what was created or renamed in the folder durable. */
    void syncFolder(Path folder) throws IOException;

    /** Tells one file or folder from another that has taken its place under the same name. */
    String identity(Path path) throws IOException;

    /** This host's name, without a look-up; empty if it can't be told. */
    String host();

    /** A file that is open; an interrupted thread does not close it. */
    interface OpenFile extends Closeable {
        /** Length in bytes. */
        long length() throws IOException;

        /** Cuts or extends. */
        void setLength(long bytes) throws IOException;

        /** The first bytes of the file, at most so many. */
        byte[] read(int atMost) throws IOException;

        /** Writes all of it. */
        void write(long position, byte[] bytes) throws IOException;

        /** Makes what was written durable. */
        void sync() throws IOException;

        /** Takes the exclusive lock; false if another process holds it. */
        boolean tryLock() throws IOException;
    }
}
