package io.snowlease.registry.zookeeper;

import io.snowlease.registry.spi.StoreOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/** Real servers and stores on them. */
final class Servers {
    /** Longer than the default: two cores and an fsync per write are shared with other builds. */
    static final StoreOptions PATIENT = options(Duration.ofSeconds(30));

    private Servers() {}

    static StoreOptions options(Duration callTimeout) {
        return new StoreOptions(callTimeout, null, 0, true);
    }

    static StoreOptions embedded(Path folder, int port) {
        return new StoreOptions(Duration.ofSeconds(30), folder, port, true);
    }

    /** A server on a folder, on any free port. */
    static EmbeddedServer start(Path folder) throws IOException, InterruptedException {
        return EmbeddedServer.start(folder, 0);
    }

    static ZooKeeperStore open(int port, String namespace) {
        return open(port, namespace, PATIENT, operation -> {});
    }

    static ZooKeeperStore open(int port, String namespace, StoreOptions options, Consumer<String> trace) {
        return ZooKeeperStoreProvider.open(
                URI.create("zookeeper://127.0.0.1:" + port + "/test/chroot"), namespace, options, trace);
    }
}
