package io.snowlease.registry.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.awaitility.Awaitility;

/**
 * ZooKeeper's own server, as an operator sets it up: in a process of its own, since its TLS settings are system
 * properties. It listens on loopback, once with TLS and once without.
 */
final class ServerProcess implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    final int tlsPort;
    final int plainPort;

    private final Process process;

    /** With more lines for {@code zoo.cfg}. */
    ServerProcess(Path folder, String... lines) throws IOException {
        try (ServerSocket first = new ServerSocket(0, 1, LOOPBACK);
                ServerSocket second = new ServerSocket(0, 1, LOOPBACK)) {
            tlsPort = first.getLocalPort();
            plainPort = second.getLocalPort();
        }
        List<String> config = new ArrayList<>(List.of(
                "dataDir=" + folder.resolve("data"),
                "secureClientPort=" + tlsPort,
                "secureClientPortAddress=127.0.0.1",
                "clientPort=" + plainPort,
                "clientPortAddress=127.0.0.1",
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "admin.enableServer=false"));
        config.addAll(Arrays.asList(lines));
        Path file = Files.write(Files.createDirectories(folder).resolve("zoo.cfg"), config);
        Path log = folder.resolve("server.log");
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ZooKeeperServerMain.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .failFast("the server has ended, see " + log, () -> !process.isAlive())
                .until(() -> listens(tlsPort) && listens(plainPort));
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(LOOPBACK, port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
