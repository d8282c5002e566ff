package io.snowlease.admin.e2e;

import io.snowlease.generator.Layout;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.WorkerRange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A real ZooKeeper on the right clock, which outlives the nodes; it runs in the tests' own process. */
final class Coordinator implements AutoCloseable {
    private final Path folder;
    private final int port = FreePort.find();
    private RegistryAdmin admin;

    private Coordinator(Path folder) {
        this.folder = folder;
        this.admin = open();
    }

    /** With nothing in it. */
    static Coordinator empty(Path folder) {
        return new Coordinator(folder.resolve("coordinator"));
    }

    /** With a registry that was never used. */
    static Coordinator start(Path folder, Duration lease, Duration skew, int lastWorker) {
        Coordinator coordinator = empty(folder);
        coordinator.admin.init(
                new RegistrySettings(Layout.CLASSIC, lease, skew, new WorkerRange(0, lastWorker)), true, 0);
        return coordinator;
    }

    private RegistryAdmin open() {
        RegistryAdmin opened = WorkerRegistry.builder()
                .coordinator("embedded:")
                .dataFolder(folder)
                .embeddedPort(port)
                .callTimeout(Running.PATIENCE)
                .openAdmin();
        opened.coordinatorMillis();
        return opened;
    }

    int port() {
        return port;
    }

    String uri() {
        return "zookeeper://127.0.0.1:" + port;
    }

    List<SlotInfo> slots() {
        return admin.slots();
    }

    void stop() {
        admin.close();
    }

    void startAgain() {
        admin = open();
    }

    @Override
    public void close() {
        admin.close();
    }
}
