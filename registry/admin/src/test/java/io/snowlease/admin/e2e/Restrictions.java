package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a process may not do with files, whoever runs the tests. */
final class Restrictions {
    private Restrictions() {}

    /** Bound by a file's permissions, which root as such is not. */
    static List<String> boundByPermissions() throws IOException, InterruptedException {
        if (!isRoot()) {
            return List.of();
        }
        String without = "-dac_override,-dac_read_search";
        return List.of("setpriv", "--bounding-set", without, "--inh-caps", without);
    }

    /** Can't make a file longer than this many bytes, a multiple of 512: a write past them fails, as on a full disk. */
    static List<String> filesUpTo(int bytes) {
        return List.of("sh", "-c", "ulimit -f " + bytes / 512 + "; exec \"$0\" \"$@\"");
    }

    /** As {@link #filesUpTo}, from now on, for one that runs. */
    static void limitFilesTo(long bytes, Running process) throws IOException, InterruptedException {
        setLimit(Long.toString(bytes), process);
    }

    static void unlimitFiles(Running process) throws IOException, InterruptedException {
        setLimit("unlimited", process);
    }

    private static void setLimit(String bytes, Running process) throws IOException, InterruptedException {
        // The soft limit alone: the other can't be raised again.
        Process prlimit = new ProcessBuilder("prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + bytes + ":")
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor()).isZero();
    }

    private static boolean isRoot() throws IOException, InterruptedException {
        Process id = new ProcessBuilder("id", "-u").start();
        String uid = new String(id.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        assertThat(id.waitFor()).isZero();
        return uid.equals("0");
    }
}
