package io.snowlease.it;

import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/**
 * A container that idles, so that processes can be started in it and killed while its address, its mapped ports and its
 * files stay. Its folder {@code /box} is on the host too.
 */
final class Box implements AutoCloseable {
    /** Where a container sees the runnable jar. */
    static final String JAR = "/snowlease.jar";

    /** Where all containers see {@link Engine#shared}. */
    static final String SHARED = "/shared";

    private final GenericContainer<?> container;
    private final Path folder;

    /** Starts one; {@code name} is its host's name in the network of the tests. */
    Box(String name, Integer... ports) {
        this(
                name,
                container -> container
                        .withNetwork(Engine.network())
                        .withNetworkAliases(name)
                        .withExposedPorts(ports)
                        .withCreateContainerCmdModifier(command -> command.withHostName(name)));
    }

    private Box(String name, UnaryOperator<GenericContainer<?>> options) {
        try {
            this.folder = Files.createTempDirectory(
                    Files.createDirectories(Engine.folder().resolve("boxes")), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.container = options.apply(new GenericContainer<>(Engine.image()))
                .withLabel(Engine.LABEL, "")
                .withCommand("sleep", "infinity")
                .withCreateContainerCmdModifier(command -> Objects.requireNonNull(
                                command.withEntrypoint().getHostConfig())
                        .withInit(true)
                        .withCapAdd(Capability.NET_ADMIN)
                        .withBinds(
                                new Bind(folder.toString(), new Volume("/box")),
                                new Bind(Engine.shared().toString(), new Volume(SHARED)),
                                new Bind(Engine.jar().toString(), new Volume(JAR))))
                .waitingFor(new AbstractWaitStrategy() {
                    @Override
                    protected void waitUntilReady() {
                        // It idles: whoever starts something in it waits for that.
                    }
                });
        container.start();
    }

    /** Another one, of the same host's name and IP address; its ports are this one's. */
    Box twin() {
        return new Box("twin", twin -> twin.withNetworkMode("container:" + container.getContainerId()));
    }

    /** {@code /box}, as the host sees it. */
    Path folder() {
        return folder;
    }

    /** Of the loopback address, mapped to this port of the container. */
    int port(int inside) {
        return container.getMappedPort(inside);
    }

    /** In the network of the tests. */
    String address() {
        return container.getContainerInfo().getNetworkSettings().getNetworks().values().stream()
                .map(network -> Objects.requireNonNull(network.getIpAddress()))
                .findFirst()
                .orElseThrow();
    }

    /** Runs a command to its end, which must be good; what it prints. */
    String run(String... command) {
        try {
            ExecResult result = container.execInContainer(command);
            if (result.getExitCode() != 0) {
                throw new AssertionError(Arrays.toString(command) + " ended with " + result.getExitCode() + ": "
                        + result.getStdout() + result.getStderr());
            }
            return result.getStdout().strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts a process whose output goes to files. */
    Program start(String name, List<String> command) {
        return start(name, command, 0);
    }

    /** As above, with this process id, if that is still to come in its container; 0 for any. */
    Program start(String name, List<String> command, int pid) {
        try {
            Path out = Files.createTempFile(folder, name, ".out");
            Path err = Files.createTempFile(folder, name, ".err");
            List<String> shell = new ArrayList<>(List.of(
                    "sh",
                    "-c",
                    "out=$1; err=$2; pid=$3; shift 3;"
                            + " while [ \"$(sh -c 'echo $$')\" -lt $((pid - 1)) ]; do :; done;"
                            + " \"$@\" </dev/null >\"$out\" 2>\"$err\" & echo $!",
                    "sh",
                    "/box/" + out.getFileName(),
                    "/box/" + err.getFileName(),
                    Integer.toString(pid)));
            shell.addAll(command);
            return new Program(this, run(shell.toArray(String[]::new)), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Which way nothing passes any more. */
    enum Way {
        IN,
        OUT,
        BOTH
    }

    /** Drops what comes from, or goes to, another container, without telling either. */
    void cut(Box other, Way way) {
        if (way != Way.OUT) {
            run("iptables", "-A", "INPUT", "-s", other.address(), "-j", "DROP");
        }
        if (way != Way.IN) {
            run("iptables", "-A", "OUTPUT", "-d", other.address(), "-j", "DROP");
        }
    }

    /** Ends all cuts. */
    void join() {
        run("iptables", "-F");
    }

    /** Stops all in it, until {@link #unpause}. */
    void pause() {
        container
                .getDockerClient()
                .pauseContainerCmd(container.getContainerId())
                .exec();
    }

    void unpause() {
        container
                .getDockerClient()
                .unpauseContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public void close() {
        container.stop();
    }
}
