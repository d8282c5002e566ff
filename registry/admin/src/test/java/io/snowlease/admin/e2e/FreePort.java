package io.snowlease.admin.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port that was free a moment ago. Not one of those that systems give to outgoing connections: somebody who tries again
 * and again to connect to such a port, while nobody listens there, sooner or later connects to himself.
 */
final class FreePort {
    private static final int FIRST = 15_000;
    private static final int BEYOND = 30_000;

    private FreePort() {}

    static int find() {
        int port = ThreadLocalRandom.current().nextInt(FIRST, BEYOND);
        while (isTaken(port)) {
            port = ThreadLocalRandom.current().nextInt(FIRST, BEYOND);
        }
        return port;
    }

    private static boolean isTaken(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return !probe.isBound();
        } catch (IOException e) {
            return true;
        }
    }
}
