package io.snowlease.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A process in a container. */
final class Program {
    /** Longest wait for anything that must come. */
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Box box;
    private final String pid;
    private final Path out;
    private final Path err;

    Program(Box box, String pid, Path out, Path err) {
        this.box = box;
        this.pid = pid;
        this.out = out;
        this.err = err;
    }

    /** In its container. */
    String pid() {
        return pid;
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    /** STOP, CONT or TERM. */
    void signal(String name) {
        box.run("sh", "-c", "kill -" + name + " " + pid);
    }

    /** SIGKILL, and waits until it is gone; nothing if it is already. */
    void kill() {
        // What is left of a process that is gone, but not yet reaped, has no command line.
        box.run(
                "timeout",
                "20",
                "sh",
                "-c",
                "kill -9 \"$1\" 2>/dev/null; while grep -qsa . /proc/\"$1\"/cmdline; do :; done",
                "sh",
                pid);
    }

    boolean isAlive() {
        return box.run("sh", "-c", "grep -qsa . /proc/\"$1\"/cmdline && echo yes || echo no", "sh", pid)
                .equals("yes");
    }

    void awaitEnd() {
        await().atMost(PATIENCE).until(() -> !isAlive());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
