package io.snowlease.it;

import java.io.IOException;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.ZooKeeper;

/** Sessions that servers know; ended from outside, which their clients see as an expiry. */
final class ZooKeeperSessions {
    private static final Pattern SESSION = Pattern.compile("sid=0x([0-9a-f]{2,})");
    private static final int TIMEOUT_MILLIS = 30_000;

    /** What a server mixes into its sessions' passwords: {@code ZooKeeperServer.superSecret}. */
    private static final long SECRET = 0xB3415C00L;

    private ZooKeeperSessions() {}

    static Set<Long> of(Topology topology) {
        Set<Long> sessions = new HashSet<>();
        for (int i = 0; i < topology.size(); i++) {
            Matcher session = SESSION.matcher(topology.ask(i, "cons"));
            while (session.find()) {
                sessions.add(Long.parseUnsignedLong(session.group(1), 16));
            }
        }
        return sessions;
    }

    /** Joins it as a second client, and closes it. */
    static void expire(Topology topology, long session) {
        byte[] password = new byte[16];
        new Random(session ^ SECRET).nextBytes(password);
        CountDownLatch connected = new CountDownLatch(1);
        try {
            ZooKeeper client = new ZooKeeper(
                    "127.0.0.1:" + topology.hostPort(0),
                    TIMEOUT_MILLIS,
                    event -> connected.countDown(),
                    session,
                    password);
            try {
                if (!connected.await(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw new AssertionError("not joined: session 0x" + Long.toHexString(session));
                }
            } finally {
                client.close();
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
