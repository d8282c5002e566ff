package io.snowlease.registry.zookeeper;

import io.snowlease.registry.spi.StoreOptions;
import java.net.URI;
import java.util.function.Consumer;
import org.apache.curator.ensemble.EnsembleProvider;
import org.apache.zookeeper.data.Stat;

/** A store's link to the embedded coordinator, wherever that runs at the moment. */
final class EmbeddedHome implements ZooKeeperStore.Home {
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
