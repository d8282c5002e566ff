package io.snowlease.registry.zookeeper;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.held;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static io.snowlease.registry.contract.StoreSamples.recordOf;
import static io.snowlease.registry.contract.StoreSamples.registryOf;
import static io.snowlease.registry.contract.StoreSamples.renewed;
import static io.snowlease.registry.contract.StoreSamples.taken;
import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** What a claim costs, in operations sent to ZooKeeper; the first two of each are sent together, as one round trip. */
@TestInstance(Lifecycle.PER_CLASS)
class OperationCountTest {
    private final List<String> operations = new CopyOnWriteArrayList<>();
    private EmbeddedServer server;
    private ZooKeeperStore store;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = Servers.start(folder);
    }

    @AfterAll
    void stop() throws Exception {
        server.stop();
    }

    @BeforeEach
    void open() {
        store = Servers.open(server.port(), "count-" + UUID.randomUUID(), Servers.PATIENT, operations::add);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aClaimOfANodesOwnSlotTakesFiveOperationsInFourRoundTrips() {
        StoredSlot own = claimNew(store, makeRegistry(store, 0, 1023), "a", T);
        operations.clear();

        RegistryView view = store.view();
        int worker = store.workersOf("a").get(0);
        StoredSlot slot = store.read(worker);
        WriteResult result = store.write(view, slot, taken(recordOf(own), "a", T + 1), Long.MAX_VALUE);

        assertThat(result).isEqualTo(WriteResult.WRITTEN);
        assertThat(operations).containsExactly("touch", "getData", "getData", "getData", "multi");
    }

    @Test
    void aClaimOfANeverUsedWorkerIdTakesSixOperationsInFiveRoundTrips() {
        makeRegistry(store, 0, 1023);
        operations.clear();

        RegistryView view = store.view();
        assertThat(store.workersOf("a")).isEmpty();
        StoredSlot free = store.nextNeverUsed(view).orElseThrow();
        WriteResult result = store.write(view, free, held(free.worker(), "a", T), Long.MAX_VALUE);

        assertThat(result).isEqualTo(WriteResult.WRITTEN);
        assertThat(operations).containsExactly("touch", "getData", "getData", "exists", "create", "multi");
    }

    @Test
    void aRenewalTakesFourOperationsInThreeRoundTrips() {
        StoredSlot own = claimNew(store, makeRegistry(store, 0, 1023), "a", T);
        operations.clear();

        RegistryView view = store.view();
        StoredSlot slot = store.read(own.worker());
        WriteResult result = store.write(view, slot, renewed(recordOf(slot), T + 1), Long.MAX_VALUE);

        assertThat(result).isEqualTo(WriteResult.WRITTEN);
        assertThat(operations).containsExactly("touch", "getData", "getData", "multi");
    }

    /** Leaf #84, #26: more short-lived nodes with new names than worker ids; each must find a slot that is free. */
    @Test
    void aReuseAmongThousandSlotsTakesNineOperationsWhoeverHeldThem() {
        RegistryView made = makeRegistry(store, 0, 1023);
        for (int i = 0; i < 1024; i++) {
            StoredSlot free = store.nextNeverUsed(made).orElseThrow();
            store.write(made, free, held(free.worker(), "node-" + i, T + 1023 - i), Long.MAX_VALUE);
        }
        operations.clear();

        RegistryView view = store.view();
        assertThat(store.workersOf("new")).isEmpty();
        assertThat(store.nextNeverUsed(view)).isEmpty();
        int longestFree = store.bounds(16).get(0).worker();
        StoredSlot slot = store.read(longestFree);
        WriteResult result = store.write(view, slot, taken(recordOf(slot), "new", T + 5_000), Long.MAX_VALUE);

        assertThat(result).isEqualTo(WriteResult.WRITTEN);
        assertThat(longestFree).isEqualTo(1023);
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
        assertThat(store.workersOf("node-1023")).isEmpty();
        assertThat(registryOf(view).range().size()).isEqualTo(1024);
        assertThat(claimedAgain(store)).isEqualTo(WriteResult.WRITTEN);
    }

    private static WriteResult claimedAgain(LeaseStore store) {
        RegistryView view = store.view();
        StoredSlot slot = store.read(store.workersOf("new").get(0));
        return store.write(view, slot, taken(recordOf(slot), "new", T + 9_000), Long.MAX_VALUE);
    }
}
