package io.snowlease.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;

/**
 * The names of the images that the tests run: in the environment, or in the file that {@code -Dsnowlease.it.images} names,
 * which whoever makes them writes when they are there.
 */
public final class Images {
    private static final Duration TIME_TO_MAKE_THEM = Duration.ofMinutes(10);

    private Images() {}

    /**
     * The image that a variable names.
     *
     * @param variable as docker/images prints it
     * @throws AssertionError if there is none, with what to do
     */
    public static String named(String variable) {
        String set = System.getenv(variable);
        if (set != null && !set.isEmpty()) {
            return set;
        }
        String file = System.getProperty("snowlease.it.images");
        if (file == null) {
            throw new AssertionError("these tests need an image that $" + variable
                    + " names, and it is not set: run ./verify, or set what docker/images prints");
        }
        await("images named in " + file).atMost(TIME_TO_MAKE_THEM).until(() -> Files.isRegularFile(Path.of(file)));
        Properties made = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(file))) {
            made.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String name = made.getProperty(variable);
        if (name == null) {
            throw new AssertionError("there is no image for $" + variable + ": " + made.getProperty("failed", file));
        }
        return name;
    }
}
