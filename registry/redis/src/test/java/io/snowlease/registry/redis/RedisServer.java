package io.snowlease.registry.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;

/** The distribution's redis-server, in a process of its own, on loopback, with a folder of its own. */
public final class RedisServer implements AutoCloseable {
    /** Of its listener. */
    public final int port;

    private final Path folder;
    private final List<String> arguments;
    private Process process;

    /** With more lines for {@code redis.conf}; without any it keeps nothing on disk. */
    public RedisServer(Path folder, String... lines) throws Exception {
        this(folder, freePort(), List.of(), lines);
    }

    RedisServer(Path folder, int port, List<String> arguments, String... lines) throws Exception {
        this.folder = Files.createDirectories(folder);
        this.port = port;
        this.arguments = arguments;
        List<String> config = new ArrayList<>(List.of(
                "bind 127.0.0.1", "port " + port, "dir " + folder, "save \"\"", "appendonly no", "daemonize no"));
        config.addAll(Arrays.asList(lines));
        Files.write(folder.resolve("redis.conf"), config);
        process = launch();
        awaitUp();
    }

    static int freePort() throws IOException {
        // A cluster's bus is at this port + 10,000.
        for (int i = 0; i < 100; i++) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (socket.getLocalPort() < 55_000) {
                    return socket.getLocalPort();
                }
            }
        }
        throw new IllegalStateException("no free port below 55,000");
    }

    private Process launch() throws IOException {
        List<String> all = new ArrayList<>(List.of(folder.resolve("redis.conf").toString()));
        all.addAll(arguments);
        return RedisBinaries.process("redis-server", all)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("server.log").toFile())
                .start();
    }

    private void awaitUp() {
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(20))
                .failFast("the server has ended, see " + folder.resolve("server.log"), () -> !process.isAlive())
                .until(() -> Files.readString(folder.resolve("server.log")).contains("Ready to accept")
                        || Files.readString(folder.resolve("server.log")).contains("Sentinel ID is")
                        || Files.readString(folder.resolve("server.log")).contains("monitor master"));
    }

    /** For clients without credentials. */
    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** What redis-cli prints. */
    public String ask(String... command) {
        try {
            List<String> all = new ArrayList<>(List.of("-h", "127.0.0.1", "-p", String.valueOf(port)));
            all.addAll(Arrays.asList(command));
            return cli(all);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static String cli(List<String> arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = RedisBinaries.process("redis-cli", arguments).redirectErrorStream(true);
        Process cli = builder.redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .start();
        String answer = new String(cli.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int unused = cli.waitFor();
        return answer.strip();
    }

    /** A line of INFO. */
    String info(String field) {
        for (String line : ask("INFO").lines().toList()) {
            if (line.startsWith(field + ":")) {
                return line.substring(field.length() + 1);
            }
        }
        throw new AssertionError("INFO has no " + field);
    }

    void freeze() throws Exception {
        signal("STOP");
    }

    void thaw() throws Exception {
        signal("CONT");
    }

    /** Whether something was sent to this server, frozen as it is, that it has not read. */
    boolean hasUnread() throws IOException {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                List<String> fields = List.of(line.strip().split("\\s+", -1));
                boolean isServersEnd = fields.size() > 4 && fields.get(1).endsWith(suffix);
                if (isServersEnd && fields.get(3).equals("01") && !fields.get(4).endsWith(":00000000")) {
                    return true;
                }
            }
        }
        return false;
    }

    private void signal(String name) throws Exception {
        int unused = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** As by {@code kill -9}. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** After {@link #kill}: same port, same folder. */
    public void restart() throws Exception {
        process = launch();
        awaitUp();
    }

    @Override
    public void close() {
        kill();
    }
}
