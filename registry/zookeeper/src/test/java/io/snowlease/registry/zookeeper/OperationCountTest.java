package io.snowlease.registry.zookeeper;

import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.spi.RegistryView;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What it costs to connect, to lease a worker id and to give it back, in operations sent to ZooKeeper; the first two of
 * each are sent together, as one round trip.
 */
@TestInstance(Lifecycle.PER_CLASS)
class OperationCountTest {
    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

    private EmbeddedServer server;
    private Nodes nodes;
    private List<String> operations;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = Servers.start(folder);
    }

    @AfterAll
    void stop() throws Exception {
        server.stop();
    }

    @BeforeEach
    void init() {
        nodes = new Nodes(server.port()).init(Duration.ofMinutes(10), Duration.ofSeconds(5), 0, 1023);
        operations = TracedProvider.operations(nodes.namespace);
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    @Test
    void connectingIsOneLook() {
        operations.clear();
        try (WorkerRegistry registry = nodes.builder("a").connect()) {
            assertThat(registry.leases()).isEmpty();
            assertThat(operations).containsExactly("touch", "getData");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void aNeverUsedWorkerIdCostsSixOperationsInFiveRoundTripsHoweverManyAreHeld(int held) {
        hold(held, now() + HOUR_MILLIS);
        try (WorkerRegistry registry = nodes.builder("a").connect()) {
            operations.clear();

            IdGenerator ids = registry.newGenerator();

            assertThat(operations).containsExactly("touch", "getData", "getData", "exists", "create", "multi");
            assertThat(ids.workerId()).isEqualTo(held);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void aNodesOwnWorkerIdCostsFiveOperationsInFourRoundTripsHoweverManyAreHeld(int held) {
        hold(held, now() + HOUR_MILLIS);
        try (WorkerRegistry registry = nodes.builder("a").connect()) {
            registry.newGenerator().close();
            operations.clear();

            IdGenerator ids = registry.newGenerator();

            assertThat(operations).containsExactly("touch", "getData", "getData", "getData", "multi");
            assertThat(ids.workerId()).isEqualTo(held);
        }
    }

    @Test
    void givingItBackCostsFourOperationsInThreeRoundTrips() {
        try (WorkerRegistry registry = nodes.builder("a").connect()) {
            IdGenerator ids = registry.newGenerator();
            operations.clear();

            ids.close();

            assertThat(operations).containsExactly("touch", "getData", "getData", "multi");
        }
    }

    /** Leaf #84, #26: more short-lived nodes with new names than worker ids; each must find a slot that is free. */
    @Test
    void theOnlyFreeOneOfThousandTwentyFourCostsNineOperationsInEightRoundTrips() {
        hold(700, now() + HOUR_MILLIS);
        hold(1, now() - HOUR_MILLIS);
        hold(323, now() + HOUR_MILLIS);
        try (WorkerRegistry registry = nodes.builder("a").connect()) {
            operations.clear();
            long begin = System.nanoTime();

            IdGenerator ids = registry.newGenerator();

            System.out.printf(
                    "reuse with 1,024 slots in use: %d operations, %d ms%n",
                    operations.size(), (System.nanoTime() - begin) / 1_000_000);
            assertThat(operations)
                    .containsExactly(
                            "touch",
                            "getData",
                            "getData",
                            "exists",
                            "exists",
                            "getChildren",
                            "getData",
                            "getData",
                            "multi");
            assertThat(ids.workerId()).isEqualTo(700);
        }
    }

    private void hold(int count, long until) {
        try (ZooKeeperStore store = open()) {
            RegistryView view = store.view();
            for (int i = 0; i < count; i++) {
                claimNew(store, view, "holder-" + i, until - i);
            }
        }
    }

    private long now() {
        try (ZooKeeperStore store = open()) {
            return store.view().now();
        }
    }

    private ZooKeeperStore open() {
        return ZooKeeperStoreProvider.open(
                URI.create("zookeeper://127.0.0.1:" + server.port() + "/services"),
                nodes.namespace,
                Servers.PATIENT,
                operation -> {});
    }
}
