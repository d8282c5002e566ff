package io.snowlease.registry.zookeeper;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** A plain ZooKeeper client, as an operator's shell is one. */
final class RawClient implements AutoCloseable {
    final ZooKeeper zk;

    private final CountDownLatch connected = new CountDownLatch(1);

    RawClient(int port) throws IOException, InterruptedException {
        this.zk = new ZooKeeper("127.0.0.1:" + port, 30_000, connection());
        awaitConnection();
    }

    /** On the session of another client. */
    RawClient(int port, ZooKeeper twin) throws IOException, InterruptedException {
        this.zk =
                new ZooKeeper("127.0.0.1:" + port, 30_000, connection(), twin.getSessionId(), twin.getSessionPasswd());
        awaitConnection();
    }

    @Override
    public void close() {
        try {
            zk.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Watcher connection() {
        return event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        };
    }

    private void awaitConnection() throws InterruptedException {
        if (!connected.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("no connection");
        }
    }
}
