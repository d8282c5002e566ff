package io.snowlease.registry.spi;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/**
 * What a folder is on.
 *
 * @param type name of the file system's kind, such as {@code ext4}
 * @param freeBytes what this process may still write there
 */
public record Disk(String type, long freeBytes) {
    private static final Set<String> VOLATILE = Set.of("tmpfs", "ramfs", "overlay", "aufs");
    private static final Set<String> NETWORK = Set.of(
            "nfs",
            "nfs4",
            "cifs",
            "smb3",
            "smbfs",
            "smb2",
            "9p",
            "ceph",
            "afs",
            "ncpfs",
            "glusterfs",
            "lustre",
            "gpfs",
            "beegfs",
            "ocfs2",
            "gfs2",
            "fuse.sshfs",
            "fuse.glusterfs",
            "fuse.ceph",
            "fuse.s3fs",
            "afpfs",
            "webdav");
    private static final long MEBI = 1L << 20;
    private static final long GIBI = 1L << 30;

    /**
     * Asks for the one that {@code existing} is on.
     *
     * @throws IOException if that can't be told
     */
    public static Disk of(Path existing) throws IOException {
        FileStore store = Files.getFileStore(existing);
        return new Disk(store.type(), store.getUsableSpace());
    }

    /** Whether what is there is gone after a restart: of the host, or of the container whose own layer it is. */
    public boolean isVolatile() {
        return VOLATILE.contains(type.toLowerCase(Locale.ROOT));
    }

    /** Whether it is another host's, so that neither locks nor syncs mean what they do here. */
    public boolean isNetwork() {
        return NETWORK.contains(type.toLowerCase(Locale.ROOT));
    }

    /** {@code ext4, 12 GiB free}. */
    @Override
    public String toString() {
        return type + ", " + (freeBytes >= GIBI ? freeBytes / GIBI + " GiB" : freeBytes / MEBI + " MiB") + " free";
    }
}
