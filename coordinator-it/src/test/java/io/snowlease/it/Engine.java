package io.snowlease.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;
import org.testcontainers.utility.DockerImageName;

/** The Docker engine, with the one image and the one network that all containers here use. */
final class Engine {
    /** What all containers here carry, so that they can be found. */
    static final String LABEL = "snowlease-test";

    /** Names an image with a JRE, redis-server, libfaketime and iptables. */
    private static final String IMAGE_VARIABLE = "SNOWLEASE_TEST_IMAGE";

    private static @Nullable Engine instance;

    private final DockerImageName image;
    private final Network network;
    private final Path folder;
    private final Path jar;

    private Engine() {
        String named = Images.named(IMAGE_VARIABLE);
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new AssertionError("these tests need a Docker engine, and none answers: start one (docker info must"
                    + " work for this user), or leave them out with 'mvn test'");
        }
        this.image = DockerImageName.parse(named);
        this.jar = Path.of(property("snowlease.jar")).toAbsolutePath().normalize();
        if (!Files.isRegularFile(jar)) {
            throw new AssertionError("these tests run " + jar + ", which is missing: build registry/admin too");
        }
        this.folder = Path.of(property("snowlease.it.folder")).toAbsolutePath();
        this.network = Network.newNetwork();
    }

    /** Each who asks is told what is missing, not the first one alone. */
    private static synchronized Engine instance() {
        Engine made = instance;
        if (made == null) {
            made = new Engine();
            instance = made;
        }
        return made;
    }

    static DockerImageName image() {
        return instance().image;
    }

    static Network network() {
        return instance().network;
    }

    /** Where results go, on the host. */
    static Path folder() {
        return instance().folder;
    }

    /** A folder that all containers see, on the host. */
    static Path shared() {
        try {
            return Files.createDirectories(folder().resolve("shared"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The runnable jar, on the host. */
    static Path jar() {
        return instance().jar;
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }
}
