package io.snowlease.registry.redis;

import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.spi.RegistryView;
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

/** What it costs to connect, to lease a worker id and to give it back, in scripts, a round trip each. */
@TestInstance(Lifecycle.PER_CLASS)
class RoundTripsTest {
    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

    private RedisServer server;
    private Nodes nodes;
    private List<String> roundTrips;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = new RedisServer(folder);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void init() {
        nodes = new Nodes("traced://127.0.0.1:" + server.port)
                .init(Duration.ofMinutes(10), Duration.ofSeconds(5), 1023);
        try (WorkerRegistry registry = nodes.builder("warm").connect()) {
            // The first of all sends the scripts themselves.
            registry.newGenerator().close();
        }
        roundTrips = TracedProvider.roundTrips(nodes.namespace);
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void connectingIsOneLook() {
        roundTrips.clear();
        try (WorkerRegistry registry = nodes.builder("a").connect()) {
            assertThat(registry.leases()).isEmpty();
            assertThat(roundTrips).containsExactly("view");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void aNeverUsedWorkerIdCostsThreeHoweverManyAreHeld(int held) {
        hold(held, now() + HOUR_MILLIS);
        try (WorkerRegistry registry = nodes.builder("a").connect()) {
            roundTrips.clear();

            IdGenerator ids = registry.newGenerator();

            assertThat(roundTrips).containsExactly("view", "candidates", "write");
            assertThat(ids.workerId()).isEqualTo(held + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void aNodesOwnWorkerIdCostsThreeHoweverManyAreHeld(int held) {
        hold(held, now() + HOUR_MILLIS);
        try (WorkerRegistry registry = nodes.builder("a").connect()) {
            registry.newGenerator().close();
            roundTrips.clear();

            IdGenerator ids = registry.newGenerator();

            assertThat(roundTrips).containsExactly("view", "candidates", "write");
            assertThat(ids.workerId()).isEqualTo(held + 1);
        }
    }

    @Test
    void givingItBackCostsThree() {
        try (WorkerRegistry registry = nodes.builder("a").connect()) {
            IdGenerator ids = registry.newGenerator();
            roundTrips.clear();

            ids.close();

            assertThat(roundTrips).containsExactly("view", "read", "write");
        }
    }

    /** Leaf #84, #26: more short-lived nodes with new names than worker ids; each must find a slot that is free. */
    @Test
    void theOnlyFreeOneOfThousandTwentyFourCostsThree() {
        hold(699, now() + HOUR_MILLIS);
        hold(1, now() - HOUR_MILLIS);
        hold(323, now() + HOUR_MILLIS);
        try (WorkerRegistry first = nodes.builder("warm").connect();
                WorkerRegistry registry = nodes.builder("a").connect()) {
            assertThat(first.newGenerator().workerId()).isZero();
            roundTrips.clear();
            server.ask("CONFIG", "RESETSTAT");
            long begin = System.nanoTime();

            IdGenerator ids = registry.newGenerator();

            System.out.printf(
                    "reuse with 1,024 slots in use: %d round trips, %d ms%n",
                    roundTrips.size(), (System.nanoTime() - begin) / 1_000_000);
            assertThat(roundTrips).containsExactly("view", "candidates", "write");
            assertThat(ids.workerId()).isEqualTo(700);
            // The server's own count: EVALSHA is all that a client sends.
            assertThat(server.ask("INFO", "commandstats"))
                    .contains("cmdstat_evalsha:calls=3,")
                    .doesNotContain("cmdstat_eval:");
        }
    }

    private void hold(int count, long until) {
        try (RedisStore store = Stores.open(server.uri(), nodes.namespace)) {
            RegistryView view = store.view();
            for (int i = 0; i < count; i++) {
                claimNew(store, view, "holder-" + i, until - i);
            }
        }
    }

    private long now() {
        try (RedisStore store = Stores.open(server.uri(), nodes.namespace)) {
            return store.view().now();
        }
    }
}
