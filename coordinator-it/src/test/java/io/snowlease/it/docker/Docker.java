package io.snowlease.it.docker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The docker command, as people type it at the root of the checkout. */
final class Docker {
    /** Longest wait for a command. */
    private static final long PATIENCE_SECONDS = 120;

    /** What a command left behind: its exit code, and both of its outputs in one. */
    record Result(int code, String text) {}

    private Docker() {}

    /** The output of a command that must succeed, without blanks at its ends. */
    static String run(String... arguments) {
        Result result = attempt(arguments);
        if (result.code() != 0) {
            throw new AssertionError(
                    "docker " + String.join(" ", arguments) + " exited with " + result.code() + ": " + result.text());
        }
        return result.text();
    }

    /** A command that may fail. */
    static Result attempt(String... arguments) {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile("docker", ".out");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .directory(root().toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
                // The builder that needs no plugin.
                builder.environment().put("DOCKER_BUILDKIT", "0");
                Process process = builder.start();
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError(command + " did not end within " + PATIENCE_SECONDS + " s: "
                            + Files.readString(output, UTF_8));
                }
                return new Result(
                        process.exitValue(), Files.readString(output, UTF_8).strip());
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + command, e);
        }
    }

    /** The root of the checkout: tests run in the folder of their module. */
    static Path root() {
        return Path.of("..").toAbsolutePath().normalize();
    }
}
