package io.snowlease.registry.zookeeper;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This JVM's part in one data folder. Exactly one process serves a folder: the one that holds its lock. The others
 * connect to it, and watch the lock; when it ends, however it ends, the first of them that gets the lock serves on.
 *
 * <p>One per folder and JVM, shared by the stores on it; the last to be closed stops the server.
 */
final class EmbeddedCoordinator {
    /** Tells a server on this folder's data from any other that may have its port by now. */
    static final String FOLDER_ID = "/snowlease-folder";

    private static final String ROOT = "/snowlease";
    private static final Logger log = LoggerFactory.getLogger(EmbeddedCoordinator.class);
    private static final Map<Path, EmbeddedCoordinator> IN_THIS_JVM = new HashMap<>();
    private static final long WATCH_MILLIS = 200;
    private static final long PURGE_NANOS = TimeUnit.HOURS.toNanos(1);

    private final DataFolder folder;
    private final CountDownLatch closed = new CountDownLatch(1);
    private int preferredPort;
    private int users;
    private boolean isWatching;
    private volatile @Nullable EmbeddedServer server;
    private volatile @Nullable String trouble;

    private EmbeddedCoordinator(Path folder) {
        this.folder = new DataFolder(folder);
    }

    /** The coordinator of the options' folder; to be {@link #release}d. */
    static EmbeddedCoordinator acquire(StoreOptions options) {
        Path wanted = options.dataFolder() == null ? StoreOptions.defaultDataFolder() : options.dataFolder();
        synchronized (IN_THIS_JVM) {
            Path path;
            try {
                if (!options.startEmbedded() && !Files.isDirectory(wanted)) {
                    throw notRunning(wanted);
                }
                path = DataFolder.make(wanted);
            } catch (IOException e) {
                throw unusable(wanted, e);
            }
            EmbeddedCoordinator coordinator = IN_THIS_JVM.get(path);
            if (coordinator == null) {
                coordinator = new EmbeddedCoordinator(path);
            }
            coordinator.join(options);
            coordinator.users++;
            IN_THIS_JVM.put(path, coordinator);
            return coordinator;
        }
    }

    void release() {
        synchronized (IN_THIS_JVM) {
            users--;
            if (users > 0) {
                return;
            }
            IN_THIS_JVM.remove(folder.path());
            closed.countDown();
            stop();
        }
    }

    Path folder() {
        return folder.path();
    }

    /** Where the folder's server is, as far as is known. */
    String address() {
        int port = StoreOptions.DEFAULT_EMBEDDED_PORT;
        try {
            port = folder.port().orElse(port);
        } catch (IOException e) {
            trouble = "can't read its port: " + e;
        }
        return "127.0.0.1:" + port;
    }

    /** For messages. */
    String describe() {
        String problem = trouble;
        return "embedded ZooKeeper of " + folder.path() + (server == null ? " (expected in another process)" : "")
                + (problem == null ? "" : " (" + problem + ")");
    }

    /** The transaction that made {@code /snowlease}, if it was made in an empty folder; 0 otherwise. */
    long newRoot() {
        try {
            return folder.newRoot();
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + folder.path() + ": " + e.getMessage(), e);
        }
    }

    /** Whether {@code session} is with a server on this folder's data. */
    boolean isRight(ZkSession session) throws KeeperException, InterruptedException, TimeoutException {
        ZkSession.@Nullable Data data = session.await(session.data(FOLDER_ID));
        try {
            return data != null && data.text().equals(folder.id());
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the id in " + folder.path() + ": " + e.getMessage(), e);
        }
    }

    private void join(StoreOptions options) {
        if (isWatching) {
            return;
        }
        preferredPort = options.embeddedPort();
        try {
            boolean isFree = server == null && folder.tryLock();
            if (isFree && !options.startEmbedded()) {
                folder.unlock();
                throw notRunning(folder.path());
            }
            if (isFree) {
                start(preferredPort);
            }
        } catch (BindException e) {
            throw new StoreUnavailableException(
                    "port " + preferredPort + " of 127.0.0.1, wanted for the embedded ZooKeeper of " + folder.path()
                            + ", is taken by another program: choose another with --embedded-port (0 for any free one),"
                            + " or use the data folder of the ZooKeeper that runs there with --data",
                    e);
        } catch (IOException e) {
            throw unusable(folder.path(), e);
        }
        if (options.startEmbedded()) {
            isWatching = true;
            Thread watcher = new Thread(this::watch, "snowlease-embedded");
            watcher.setDaemon(true);
            watcher.start();
        }
    }

    /** With the lock held; without it if this throws. */
    private void start(int port) throws IOException {
        EmbeddedServer started = null;
        try {
            boolean wasEmpty = folder.isEmpty();
            folder.makeData();
            started = EmbeddedServer.start(folder.data(), port);
            String id = folder.makeId();
            long root = mark(started.port(), id);
            folder.recordPort(started.port());
            started.purge();
            server = started;
            if (wasEmpty) {
                folder.recordNewRoot(root);
            }
            trouble = null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            if (server == null) {
                try {
                    if (started != null) {
                        started.stop();
                    }
                } finally {
                    folder.unlock();
                }
            }
        }
    }

    /** Writes the folder's id where clients look for it; gives the transaction that made {@code /snowlease}. */
    private static long mark(int port, String id) {
        byte[] data = id.getBytes(StandardCharsets.UTF_8);
        try (ZkConnection self = ZkConnection.toLoopback(port)) {
            return self.repeatedly("starting", session -> {
                session.ensure(FOLDER_ID);
                session.ensure(ROOT);
                session.await(session.multi(List.of(Op.setData(FOLDER_ID, data, -1))));
                Stat root = session.await(session.stat(ROOT));
                return root == null ? 0L : root.getCzxid();
            });
        }
    }

    private void watch() {
        Clocks clocks = Clocks.system();
        long purgedAt = clocks.monotonicNanos();
        try {
            while (!closed.await(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
                synchronized (IN_THIS_JVM) {
                    if (closed.getCount() == 0) {
                        return;
                    }
                    EmbeddedServer running = server;
                    if (running == null) {
                        takeOver();
                    } else if (!running.isRunning()) {
                        log.error("The embedded ZooKeeper of {} has stopped: see ZooKeeper's own log", folder.path());
                        stop();
                    } else if (clocks.monotonicNanos() - purgedAt > PURGE_NANOS) {
                        purgedAt = clocks.monotonicNanos();
                        purge(running);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // However it ends: the next to join starts another.
            synchronized (IN_THIS_JVM) {
                isWatching = false;
            }
        }
    }

    private void purge(EmbeddedServer running) {
        try {
            running.purge();
        } catch (IOException | RuntimeException e) {
            log.warn("Old snapshots of the embedded ZooKeeper of {} stay: {}", folder.path(), e.toString());
        }
    }

    private void takeOver() {
        try {
            if (!folder.tryLock()) {
                return;
            }
            int before = folder.port().orElse(preferredPort);
            try {
                start(before);
            } catch (BindException e) {
                if (!folder.tryLock()) {
                    return;
                }
                start(0);
            }
            log.info("Serves the embedded ZooKeeper of {} at {} now", folder.path(), address());
        } catch (IOException | RuntimeException e) {
            String problem = "can't be started: " + e.getMessage();
            if (!problem.equals(trouble)) {
                log.warn("The embedded ZooKeeper of {} {}", folder.path(), problem);
            }
            trouble = problem;
        }
    }

    private void stop() {
        EmbeddedServer running = server;
        server = null;
        try {
            try {
                if (running != null) {
                    running.stop();
                }
            } finally {
                folder.unlock();
            }
        } catch (IOException | RuntimeException e) {
            log.warn("The embedded ZooKeeper of {} did not stop cleanly: {}", folder.path(), e.toString());
        }
    }

    private static StoreUnavailableException notRunning(Path folder) {
        return new StoreUnavailableException(
                "no embedded ZooKeeper is running on " + folder
                        + ": start one (snowlease serve, or any node with embedded:), or name its folder with --data",
                null);
    }

    private static StoreUnavailableException unusable(Path folder, IOException e) {
        return new StoreUnavailableException(
                "the data folder " + folder + " of the embedded ZooKeeper can't be used: " + e
                        + "; choose another with --data",
                e);
    }
}
