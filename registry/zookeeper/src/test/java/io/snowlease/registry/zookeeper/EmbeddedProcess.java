package io.snowlease.registry.zookeeper;

import io.snowlease.registry.contract.StoreSamples;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.spi.RegistryView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of its own with an embedded store, which does what it is told on standard input. */
final class EmbeddedProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final PrintStream orders;

    EmbeddedProcess(Path folder, int port) throws IOException {
        this.process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EmbeddedProcess.class.getName(),
                        folder.toString(),
                        Integer.toString(port)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Claims a worker id there; the answer says which, at what address. */
    String claim(String node) throws IOException {
        orders.println("claim " + node);
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the process has ended");
        }
        return answer;
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("it lives");
        }
    }

    /** As {@code kill -STOP} does: it holds the folder's lock, and does not answer. */
    void freeze() throws Exception {
        Process kill = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start();
        if (kill.waitFor() != 0) {
            throw new AssertionError("it runs on");
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        orders.close();
        answers.close();
    }

    /** Folder, port. */
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (ZooKeeperStore store = ZooKeeperStoreProvider.open(
                URI.create("embedded:/"),
                "orders",
                Servers.embedded(Path.of(args[0]), Integer.parseInt(args[1])),
                operation -> {})) {
            for (String order = in.readLine(); order != null; order = in.readLine()) {
                String node = order.substring("claim ".length());
                RegistryView view = store.view();
                RegistryRecord registry = view.record();
                if (registry == null) {
                    view = StoreSamples.makeRegistry(store, 0, 1023);
                }
                int worker =
                        StoreSamples.claimNew(store, view, node, StoreSamples.T).worker();
                out.println(worker + " at " + store.servers().split(" ", 2)[0] + " never used " + store.isNeverUsed());
            }
        }
    }
}
