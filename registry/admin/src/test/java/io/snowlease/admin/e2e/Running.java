package io.snowlease.admin.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** One process of the runnable jar, with its output in files; killed when closed. */
final class Running implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path out;
    private final Path err;

    private Running(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static Running start(Path folder, String... arguments) {
        return start(folder, builder(arguments));
    }

    static Running start(Path folder, ProcessBuilder builder) {
        try {
            Path out = Files.createTempFile(folder, "out", ".txt");
            Path err = Files.createTempFile(folder, "err", ".txt");
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            return new Running(process, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For a test that wants the streams itself. */
    static ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-XX:SharedArchiveFile=" + property("snowlease.archive"),
                "-jar",
                property("snowlease.jar")));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .keySet()
                .removeIf(name -> name.toUpperCase(Locale.ROOT).startsWith("SNOWLEASE_"));
        return builder;
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    List<String> outLines() {
        return out().lines().toList();
    }

    List<String> errLines() {
        return err().lines().toList();
    }

    /** Waits for the end, and gives the exit code. */
    int exitCode() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("still runs; stdout: " + out() + "; stderr: " + err());
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return process.exitValue();
    }

    /** Whether it ends before this time is over. */
    boolean endsWithin(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits until stdout has {@code text}. */
    Running awaitOut(String text) {
        await().atMost(PATIENCE)
                .failFast("ended early: " + err(), () -> !process.isAlive() && !out().contains(text))
                .until(() -> out().contains(text));
        return this;
    }

    /** Waits until stderr has {@code text}. */
    Running awaitErr(String text) {
        await().atMost(PATIENCE).until(() -> err().contains(text));
        return this;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** STOP, CONT, TERM, INT or KILL. */
    void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill -" + name + " exited with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
