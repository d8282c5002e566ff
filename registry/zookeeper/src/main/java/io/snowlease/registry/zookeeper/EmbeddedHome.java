package io.snowlease.registry.zookeeper;

import io.snowlease.registry.spi.Disk;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.StoreOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.apache.curator.ensemble.EnsembleProvider;
import org.apache.zookeeper.data.Stat;

/** A store's link to the embedded coordinator, wherever that runs at the moment. */
final class EmbeddedHome implements ZooKeeperStore.Home {
    private static final String DURABILITY = "durability";
    private static final long LITTLE_BYTES = 100L << 20;

    private final EmbeddedCoordinator coordinator;

    private EmbeddedHome(EmbeddedCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    static ZooKeeperStore open(URI uri, String namespace, StoreOptions options, Consumer<String> trace) {
        if (!uri.getSchemeSpecificPart().equals("/") || uri.getFragment() != null) {
            throw new IllegalArgumentException(
                    "must be embedded: with nothing after it (the data folder is an option): uri=" + uri);
        }
        if (options.credentials() != null) {
            throw new IllegalArgumentException("embedded: has no access control, and credentials protect nothing there:"
                    + " leave them out, or use zookeeper://");
        }
        EmbeddedCoordinator coordinator = EmbeddedCoordinator.acquire(options);
        try {
            ZkConnection connection = new ZkConnection(
                    new MovingServer(coordinator),
                    coordinator::describe,
                    options.callTimeout(),
                    coordinator::isRight,
                    trace,
                    new Access(null),
                    null,
                    Diagnosis.none());
            return new ZooKeeperStore(connection, new ZkPaths("", namespace), new EmbeddedHome(coordinator));
        } catch (RuntimeException e) {
            coordinator.release();
            throw e;
        }
    }

    @Override
    public String servers() {
        return coordinator.address() + " (" + coordinator.describe() + ")";
    }

    /** Nothing was ever deleted where registries are, and there is none of this namespace. */
    @Override
    public boolean isNeverUsed(ZkConnection connection, ZkPaths paths) {
        long newRoot = coordinator.newRoot();
        if (newRoot == 0) {
            return false;
        }
        return connection.repeatedly("looking for traces of " + paths.registry(), session -> {
            Stat root = session.await(session.stat(paths.root()));
            Stat registry = session.await(session.stat(paths.registry()));
            return root != null
                    && root.getCzxid() == newRoot
                    && root.getCversion() == root.getNumChildren()
                    && registry == null;
        });
    }

    @Override
    public List<Finding> findings() {
        try {
            return List.of(durability(coordinator.folder(), Disk.of(coordinator.folder())));
        } catch (IOException e) {
            return List.of(Finding.warning(
                    DURABILITY,
                    "can't tell what the data folder " + coordinator.folder() + " is on: " + e,
                    "see to it that this user can read it"));
        }
    }

    static Finding durability(Path folder, Disk disk) {
        String found = "one copy of the data, in " + folder + " (" + disk + ")";
        if (disk.isVolatile()) {
            return Finding.warning(
                    DURABILITY, found + ", which does not outlast a restart", "choose a folder on a disk with --data");
        }
        if (disk.freeBytes() < LITTLE_BYTES) {
            return Finding.warning(DURABILITY, found, "make room: on a full disk the server stops");
        }
        return Finding.ok(DURABILITY, found);
    }

    @Override
    public void close() {
        coordinator.release();
    }

    private record MovingServer(EmbeddedCoordinator coordinator) implements EnsembleProvider {
        @Override
        public void start() {}

        @Override
        public String getConnectionString() {
            return coordinator.address();
        }

        @Override
        public void setConnectionString(String connectionString) {}

        @Override
        public boolean updateServerListEnabled() {
            return false;
        }

        @Override
        public void close() {}
    }
}
