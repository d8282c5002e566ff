package io.snowlease.registry.zookeeper;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FilePadding;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.util.ServiceUtils;

/**
 * A ZooKeeper server of this process: loopback only; no admin server, no JMX, no four-letter words; what it acknowledges
 * has been fsync'd.
 */
final class EmbeddedServer {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int TICK_MILLIS = 2_000;
    private static final int BACKLOG = 128;
    private static final int SNAPSHOTS_KEPT = 3;
    private static final long LOG_GROWTH_BYTES = 1 << 20;
    private static final String FOUR_LETTER_WORDS = "zookeeper.4lw.commands.whitelist";
    private static final Set<EmbeddedServer> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        // A library must not end the process it runs in; the default does, on a full disk for one.
        ServiceUtils.setSystemExitProcedure(code -> RUNNING.forEach(server -> server.failed = true));
        if (System.getProperty(FOUR_LETTER_WORDS) == null) {
            System.setProperty(FOUR_LETTER_WORDS, "");
        }
        if (System.getProperty("zookeeper.preAllocSize") == null) {
            FilePadding.setPreallocSize(LOG_GROWTH_BYTES);
        }
    }

    private final File data;
    private final FileTxnSnapLog log;
    private final ZooKeeperServer server;
    private final ServerCnxnFactory connections;
    private volatile boolean failed;

    private EmbeddedServer(File data, FileTxnSnapLog log, ZooKeeperServer server, ServerCnxnFactory connections) {
        this.data = data;
        this.log = log;
        this.server = server;
        this.connections = connections;
    }

    /**
     * Starts a server.
     *
     * @param port loopback port, 0 for any
     * @throws java.net.BindException if the port is not to be had
     */
    static EmbeddedServer start(Path dataFolder, int port) throws IOException, InterruptedException {
        // The port first: a folder is not touched for a server that can't be reached.
        ServerCnxnFactory connections = new NIOServerCnxnFactory();
        try {
            connections.configure(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), 0, BACKLOG);
        } catch (IOException e) {
            connections.shutdown();
            throw e;
        }
        File data = dataFolder.toFile();
        FileTxnSnapLog log = null;
        try {
            log = new FileTxnSnapLog(data, data);
            EmbeddedServer started = new EmbeddedServer(data, log, new Quiet(log), connections);
            connections.startup(started.server);
            RUNNING.add(started);
            return started;
        } catch (IOException | RuntimeException | InterruptedException e) {
            connections.shutdown();
            if (log != null) {
                log.close();
            }
            throw e;
        }
    }

    int port() {
        return connections.getLocalPort();
    }

    /** False once it has stopped by itself, as on a disk error. */
    boolean isRunning() {
        return !failed && server.isRunning();
    }

    /** Deletes snapshots and logs that the latest ones don't need. */
    void purge() throws IOException {
        PurgeTxnLog.purge(data, data, SNAPSHOTS_KEPT);
    }

    void stop() throws IOException {
        RUNNING.remove(this);
        connections.shutdown();
        server.shutdown();
        log.close();
    }

    private static final class Quiet extends ZooKeeperServer {
        Quiet(FileTxnSnapLog log) {
            super(log, TICK_MILLIS, -1, -1, BACKLOG, new ZKDatabase(log), "", false);
        }

        @Override
        protected void registerJMX() {}

        @Override
        protected void unregisterJMX() {}
    }
}
