package io.snowlease.admin.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * A wall clock for processes, by libfaketime: right plus an offset, which a file holds and they read at each look. The
 * monotonic clock stays right. Processes that share one stand on one machine, so to speak.
 */
public final class FakeClock {
    private final Path file;

    /** One that is right. */
    public FakeClock(Path folder) {
        try {
            this.file = Files.createTempDirectory(folder, "clock").resolve("offset");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        set(Duration.ZERO);
    }

    /** Steps it to this far from the right time: negative is behind. */
    public void set(Duration offset) {
        try {
            Path next = file.resolveSibling("next");
            Files.writeString(next, String.format(Locale.ROOT, "%+.3f", offset.toMillis() / 1000.0));
            // In one move: half a file would be read as the right time.
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Holds the offset. */
    public Path file() {
        return file;
    }

    /** What a process needs in its environment to live by it. */
    Map<String, String> environment() {
        return environment(library(), file);
    }

    /** The same for a process that sees this clock's folder, and the library, elsewhere. */
    public static Map<String, String> environment(Path library, Path file) {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                // Else the JVM takes the jar for another one than that of its class-data archive.
                "NO_FAKE_STAT", "1",
                "DONT_FAKE_MONOTONIC", "1",
                // Else timed waits of the JVM hang.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** The library leaves these behind when its process is killed. */
    static void sweepAfter(long pid) {
        for (String name : List.of("faketime_shm_" + pid, "sem.faketime_sem_" + pid)) {
            try {
                Files.deleteIfExists(Path.of("/dev/shm", name));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Path library() {
        return places().stream()
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("libfaketime, which gives a process a clock of its own, is missing:"
                                + " run ./verify once, which fetches it where apt-get is, or install your"
                                + " system's package of it"));
    }

    /** Where {@code ./verify} says it is, else where the system or an earlier {@code ./verify} has put it. */
    private static List<Path> places() {
        String told = System.getProperty("snowlease.faketime", "");
        if (!told.isEmpty()) {
            return List.of(Path.of(told));
        }
        List<Path> folders = new ArrayList<>(List.of(Path.of("/usr/lib64/faketime"), Path.of("/usr/lib/faketime")));
        try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of("/usr/lib"), Files::isDirectory)) {
            found.forEach(folder -> folders.add(folder.resolve("faketime")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String cache = Objects.requireNonNullElse(System.getenv("XDG_CACHE_HOME"), "");
        Path caches = cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        folders.add(caches.resolve("snowlease"));
        return folders.stream()
                .map(folder -> folder.resolve("libfaketime.so.1"))
                .toList();
    }
}
