package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.snowlease.registry.CoordinatorUnavailableException;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.protocol.RegistrySettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A coordinator: servers in a container. */
final class Topology implements AutoCloseable {
    private static final int QUIET_MILLIS = 500;

    private final Plan plan;
    private final Box box;
    private final List<Program> servers = new ArrayList<>();

    /**
     * What it is made of.
     *
     * @param name for reports
     * @param host its name in the network of the tests
     * @param uri where containers reach it
     * @param reachable ports by which this JVM reaches it; none if its servers tell clients other addresses
     * @param ports of all its servers, a server each
     * @param commands that start them, in the order of their ports
     * @param setUp command that makes servers that run for the first time into one; empty for none
     * @param isUp whether all serve, as seen by their answers
     * @param isDurable whether acknowledged writes outlive a kill of all servers
     */
    record Plan(
            String name,
            String host,
            String uri,
            List<Integer> reachable,
            List<Integer> ports,
            List<List<String>> commands,
            List<String> setUp,
            Predicate<Topology> isUp,
            boolean isDurable) {}

    /** Starts it. */
    Topology(Plan plan) {
        this.plan = plan;
        this.box = new Box(plan.host, plan.ports.toArray(Integer[]::new));
        for (List<String> command : plan.commands) {
            servers.add(box.start("server", command));
        }
        if (!plan.setUp.isEmpty()) {
            await(plan.name + " to be set up")
                    .atMost(Program.PATIENCE)
                    .ignoreExceptionsInstanceOf(AssertionError.class)
                    .until(() -> !box.run(plan.setUp.toArray(String[]::new)).isEmpty());
        }
        awaitUp();
    }

    String name() {
        return plan.name;
    }

    /** Where containers reach it. */
    String uri() {
        return plan.uri;
    }

    /** Where this JVM reaches it; empty if its servers tell clients other addresses. */
    Optional<String> hostUri() {
        String scheme = plan.uri.substring(0, plan.uri.indexOf(':'));
        String options = plan.uri.contains("?") ? plan.uri.substring(plan.uri.indexOf('?')) : "";
        return plan.reachable.isEmpty()
                ? Optional.empty()
                : Optional.of(plan.reachable.stream()
                        .map(port -> "127.0.0.1:" + box.port(port))
                        .collect(Collectors.joining(",", scheme + "://", options)));
    }

    /** Of the loopback address, mapped to this server. */
    int hostPort(int server) {
        return box.port(plan.ports.get(server));
    }

    Box box() {
        return box;
    }

    boolean isDurable() {
        return plan.isDurable;
    }

    /** Makes a registry that is usable at once. Tries again while answers take too long, as the first in a JVM may. */
    void init(String namespace, RegistrySettings settings) {
        await("registry on " + plan.name)
                .atMost(Program.PATIENCE.multipliedBy(3))
                .ignoreException(CoordinatorUnavailableException.class)
                .until(() ->
                        hostUri().isPresent() ? initFromHere(namespace, settings) : initThere(namespace, settings));
    }

    private boolean initFromHere(String namespace, RegistrySettings settings) {
        try (RegistryAdmin admin = WorkerRegistry.builder()
                .coordinator(hostUri().orElseThrow())
                .namespace(namespace)
                .openAdmin()) {
            return !admin.init(settings, true, 0).registryId().isEmpty();
        }
    }

    /** All worker ids of a namespace that were ever held; of a coordinator that this JVM can reach. */
    List<SlotInfo> slots(String namespace) {
        try (RegistryAdmin admin = WorkerRegistry.builder()
                .coordinator(hostUri().orElseThrow())
                .namespace(namespace)
                .openAdmin()) {
            return admin.slots();
        }
    }

    private boolean initThere(String namespace, RegistrySettings settings) {
        List<String> command = List.of(
                "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Box.JAR,
                "init",
                "--coordinator",
                plan.uri,
                "--namespace",
                namespace,
                "--never-used",
                "--lease-duration",
                Objects.requireNonNull(settings.leaseDuration()).toMillis() + "ms",
                "--max-skew",
                Objects.requireNonNull(settings.maxSkew()).toMillis() + "ms",
                "--workers",
                Objects.requireNonNull(settings.workers()).toString());
        Program init = box.start("init", command);
        init.awaitEnd();
        assertThat(init.err())
                .satisfiesAnyOf(
                        err -> assertThat(err).isEmpty(), err -> assertThat(err).contains(" did not answer within "));
        return !init.out().isEmpty();
    }

    int size() {
        return servers.size();
    }

    /** Kills one server with SIGKILL. */
    void kill(int server) {
        servers.get(server).kill();
    }

    /** STOP or CONT. */
    void signal(int server, String name) {
        servers.get(server).signal(name);
    }

    /** Kills all of them. */
    void down() {
        servers.forEach(Program::kill);
    }

    /** Starts all that don't run, on what is left of their data, and waits until all serve. */
    void up() {
        for (int i = 0; i < servers.size(); i++) {
            if (!servers.get(i).isAlive()) {
                servers.set(i, box.start("server", plan.commands.get(i)));
            }
        }
        awaitUp();
    }

    private void awaitUp() {
        await(plan.name)
                .atMost(Program.PATIENCE)
                .untilAsserted(() -> assertThat(plan.isUp.test(this))
                        .as(() -> String.join(
                                "\n",
                                servers.stream()
                                        .map(server -> server.out() + server.err())
                                        .toList()))
                        .isTrue());
    }

    /** What a server answers until it closes the connection, or says no more; empty if none listens. */
    String ask(int server, String question) {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), hostPort(server))) {
            socket.setSoTimeout(QUIET_MILLIS);
            socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
            byte[] part = new byte[8192];
            for (int n = socket.getInputStream().read(part);
                    n >= 0;
                    n = socket.getInputStream().read(part)) {
                answer.write(part, 0, n);
            }
        } catch (IOException e) {
            return answer.toString(StandardCharsets.UTF_8);
        }
        return answer.toString(StandardCharsets.UTF_8);
    }

    /** As {@link #ask}, to a Redis server. */
    String askRedis(int server, String command) {
        return ask(server, command + "\r\nQUIT\r\n");
    }

    @Override
    public void close() {
        box.close();
    }

    @Override
    public String toString() {
        return plan.name;
    }
}
