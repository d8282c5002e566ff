package io.snowlease.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.snowlease.registry.CoordinatorSetupException;
import io.snowlease.registry.NoFreeWorkerException;
import io.snowlease.registry.RegistryMismatchException;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.zookeeper.Nodes.Node;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** What a node is refused, and what it is told. */
@TestInstance(Lifecycle.PER_CLASS)
class RefusalsTest {
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration SKEW = Duration.ofSeconds(5);

    @TempDir
    private Path folder;

    private EmbeddedServer server;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        server = Servers.start(data);
    }

    @AfterAll
    void stop() throws Exception {
        server.stop();
    }

    /** CosId #773: two data centres, each with its own coordinator and half of the worker ids. */
    @Test
    void aRegistryHandsOutItsOwnRangeAndRefusesANodeThatStatesAnother(@TempDir Path elsewhere) throws Exception {
        EmbeddedServer second = Servers.start(elsewhere);
        try (Nodes west = new Nodes(server.port()).init(LEASE, SKEW, 0, 511);
                Nodes east = new Nodes(second.port()).init(LEASE, SKEW, 512, 1023)) {
            assertThat(west.start("a").worker()).isZero();
            assertThat(east.start("a").worker()).isEqualTo(512);
            assertThat(east.start(east.builder("b").workers(new WorkerRange(512, 1023)))
                            .worker())
                    .isEqualTo(513);

            assertThatExceptionOfType(RegistryMismatchException.class)
                    .isThrownBy(() ->
                            east.builder("c").workers(new WorkerRange(0, 511)).connect())
                    .withMessage("must equal the registry's: workers=0-511, the registry has workers=512-1023; leave it"
                            + " out to adopt the registry's, or use another namespace");
        } finally {
            second.stop();
        }
    }

    /** baidu PR #88: all worker ids used. */
    @Test
    void saysHowManyWorkerIdsAreHeldAndWhenTheNextOneExpires() throws Exception {
        try (Nodes nodes = new Nodes(server.port()).init(LEASE, SKEW, 0, 1)) {
            Node first = nodes.start("a");
            nodes.start("b");
            Instant next = Instant.ofEpochMilli(first.lease().untilMillis() + SKEW.toMillis());

            try (WorkerRegistry third =
                    nodes.builder("c").startTimeout(Duration.ZERO).connect()) {
                assertThatExceptionOfType(NoFreeWorkerException.class)
                        .isThrownBy(third::newGenerator)
                        .withMessage("no free worker id: 2 of 2 (0-1) are held, the next one expires at " + next
                                + " unless it is renewed; stop a node, or use a layout with more worker bits")
                        .asInstanceOf(type(NoFreeWorkerException.class))
                        .satisfies(e -> assertThat(e.held()).isEqualTo(2))
                        .satisfies(e -> assertThat(e.nextExpiry()).isEqualTo(next));

                first.registry().close();
                assertThat(third.newGenerator().workerId()).isZero();
            }
        }
    }

    // What no waiting mends is said at once, whatever the start timeout

    @Test
    void anEmbeddedServersPortThatIsTakenIsSaidAtOnce() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            WorkerRegistryBuilder builder = embedded(folder.resolve("data")).embeddedPort(other.getLocalPort());
            String message = "port " + other.getLocalPort() + " of 127.0.0.1, wanted for the embedded ZooKeeper of "
                    + folder.toRealPath().resolve("data") + ", is taken by another program: choose another with"
                    + " --embedded-port (0 for any free one), or use the data folder of the ZooKeeper that runs there"
                    + " with --data";

            assertThatExceptionOfType(CoordinatorSetupException.class)
                    .isThrownBy(builder::connect)
                    .withMessage(message);
            assertThatExceptionOfType(CoordinatorSetupException.class)
                    .isThrownBy(builder::openAdmin)
                    .withMessage(message);
        }
    }

    @Test
    void anEmbeddedServersFolderThatCannotBeUsedIsSaidAtOnce() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");

        assertThatExceptionOfType(CoordinatorSetupException.class)
                .isThrownBy(() -> embedded(file).connect())
                .withMessage("the data folder " + file + " of the embedded ZooKeeper can't be used:"
                        + " java.nio.file.FileAlreadyExistsException: " + file + "; choose another with --data");
    }

    @Test
    void anEmbeddedServerThatIsNotThereAndMayNotBeStartedIsSaidAtOnce() {
        Path none = folder.resolve("none");

        assertThatExceptionOfType(CoordinatorSetupException.class)
                .isThrownBy(() -> embedded(none).startEmbedded(false).connect())
                .withMessage("no embedded ZooKeeper is running on " + none
                        + ": start one (snowlease serve, or any node with embedded:), or name its folder with --data");
    }

    private static WorkerRegistryBuilder embedded(Path data) {
        return WorkerRegistry.builder()
                .coordinator("embedded:")
                .dataFolder(data)
                .embeddedPort(0)
                .startTimeout(Duration.ofMinutes(4));
    }
}
