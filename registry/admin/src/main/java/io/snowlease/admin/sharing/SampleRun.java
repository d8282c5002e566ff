package io.snowlease.admin.sharing;

import io.snowlease.admin.cli.Backend;
import io.snowlease.admin.cli.Io;
import io.snowlease.admin.cli.SnowleaseCommand;
import io.snowlease.generator.Clocks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Loads what most runs load: a server that starts and answers, some commands, and one that looks for a Redis. */
final class SampleRun {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Pattern READY = Pattern.compile("ready: .*:(\\d+)\\s");
    private static final Pattern ID = Pattern.compile("\"(\\d+)\"");

    /** Nothing listens there. */
    private static final String NO_REDIS = "redis://127.0.0.1:1";

    private SampleRun() {}

    /** In a folder for its data; exits with 0. */
    public static void main(String[] args) throws IOException, InterruptedException, TimeoutException {
        String data = "--data=" + args[0];
        Thread redis = start(
                "sample-redis",
                OutputStream.nullOutputStream(),
                "next",
                "--coordinator=" + NO_REDIS,
                "--start-timeout=1s");
        ByteArrayOutputStream results = new ByteArrayOutputStream();
        Thread server = start(
                "sample-server",
                results,
                "serve",
                "--coordinator=embedded:",
                data,
                "--journal=" + args[0] + "/journal",
                "--embedded-port=0",
                "--port=0",
                "--drain-timeout=0s");
        int port = awaitPort(server, results);
        Matcher id = ID.matcher(ask(port, "/v1/ids?count=20"));
        if (!id.find()) {
            throw new IOException("the server gave no ids");
        }
        ask(port, "/v1/workers");
        ask(port, "/healthz");
        run(OutputStream.nullOutputStream(), "leases", "--coordinator=embedded:", data);
        run(OutputStream.nullOutputStream(), "decode", id.group(1), data);
        redis.join(LONGEST_START.toMillis());
        System.exit(0);
    }

    private static Thread start(String name, OutputStream results, String... args) {
        Thread thread = new Thread(() -> run(results, args), name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void run(OutputStream results, String... args) {
        PrintStream messages = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int unused = SnowleaseCommand.run(new Io(results, messages), Backend.real(), Map.of(), args);
    }

    private static int awaitPort(Thread server, ByteArrayOutputStream results)
            throws InterruptedException, TimeoutException {
        Clocks clocks = Clocks.system();
        long start = clocks.monotonicNanos();
        while (true) {
            Matcher ready = READY.matcher(results.toString(StandardCharsets.UTF_8));
            if (ready.find()) {
                return Integer.parseInt(ready.group(1));
            }
            if (!server.isAlive() || clocks.monotonicNanos() - start > LONGEST_START.toNanos()) {
                throw new TimeoutException("the server is not ready");
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static String ask(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) LONGEST_START.toMillis());
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
