package io.snowlease.registry.zookeeper;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static io.snowlease.registry.contract.StoreSamples.recordOf;
import static io.snowlease.registry.contract.StoreSamples.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.junit.jupiter.api.Test;

/** Three servers, of which some are lost. */
class EnsembleFaultsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void acknowledgedWritesSurviveTheLossOfEachServerTheLeaderIncluded() throws Exception {
        try (TestingCluster cluster = new TestingCluster(3)) {
            cluster.start();
            try (ZooKeeperStore store = open(cluster, Duration.ofSeconds(30))) {
                RegistryView view = makeRegistry(store, 0, 3);
                StoredSlot slot = claimNew(store, view, "a", T);
                int round = 0;
                for (InstanceSpec server : List.copyOf(cluster.getInstances())) {
                    SlotRecord next = renewed(recordOf(slot), T + ++round);

                    cluster.killServer(server);
                    await().atMost(PATIENCE).until(() -> isWritten(store, view, next));
                    cluster.restartServer(server);

                    slot = store.read(0);
                    assertThat(slot.record()).isEqualTo(next);
                    assertThat(store.view().record()).isEqualTo(view.record());
                }
            }
        }
    }

    @Test
    void noCallSucceedsWithoutAQuorum() throws Exception {
        try (TestingCluster cluster = new TestingCluster(3)) {
            cluster.start();
            try (ZooKeeperStore patient = open(cluster, PATIENCE);
                    ZooKeeperStore store = open(cluster, Duration.ofSeconds(1))) {
                RegistryView view = makeRegistry(patient, 0, 3);
                StoredSlot slot = claimNew(patient, view, "a", T);
                await().atMost(PATIENCE).ignoreExceptions().until(() -> store.view() != null);
                List<InstanceSpec> servers = List.copyOf(cluster.getInstances());

                cluster.killServer(servers.get(0));
                cluster.killServer(servers.get(1));

                assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(store::view);
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> store.write(view, slot, renewed(recordOf(slot), T + 9), Long.MAX_VALUE));
            }
        }
    }

    /** As the keeper does: what is unclear is read back. */
    private static boolean isWritten(ZooKeeperStore store, RegistryView view, SlotRecord next) {
        try {
            return store.write(view, store.read(next.worker()), next, Long.MAX_VALUE) == WriteResult.WRITTEN;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    private static ZooKeeperStore open(TestingCluster cluster, Duration callTimeout) {
        return ZooKeeperStoreProvider.open(
                URI.create("zookeeper://" + cluster.getConnectString()),
                "orders",
                Servers.options(callTimeout),
                operation -> {});
    }
}
