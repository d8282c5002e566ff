package io.snowlease.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.snowlease.registry.LeaseState;
import io.snowlease.registry.LeaseStatus;
import io.snowlease.registry.NotGrantableYetException;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.RegistryNotFoundException;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.SlotStatus;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.zookeeper.Nodes.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** What an operator changes, on one real server with nodes that hold leases. */
@TestInstance(Lifecycle.PER_CLASS)
class OperatorTest {
    private static final Duration SKEW = Duration.ofSeconds(2);

    private EmbeddedServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = Servers.start(folder);
    }

    @AfterAll
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void anEvictedHolderMovesToAnotherWorkerIdWithIncreasingIdsAndItsOldOneComesFreeAtItsBound() {
        List<LeaseStatus> told = new CopyOnWriteArrayList<>();
        try (Nodes nodes = new Nodes(server.port()).init(Duration.ofSeconds(6), SKEW, 0, 1);
                RegistryAdmin admin = nodes.builder("operator").openAdmin()) {
            Node holder = nodes.start(nodes.builder("a").listener(told::add));
            try (IdStream stream = new IdStream(holder.ids())) {
                stream.awaitId();
                SlotInfo evicted = admin.evict(0);
                assertThat(evicted.state()).isEqualTo(SlotStatus.EVICTED);
                assertThat(evicted.epoch()).isEqualTo(1);

                await().atMost(Duration.ofSeconds(60)).until(() -> holder.worker() == 1);
                stream.awaitId();
                assertThat(told)
                        .anyMatch(status -> status.state() == LeaseState.LOST
                                && status.reason().equals("evicted by an operator"));

                Node other = nodes.start("b");
                assertThat(other.worker()).isZero();
                assertThat(other.lease().notBeforeMillis()).isEqualTo(evicted.until());
                assertThat(admin.coordinatorMillis()).isGreaterThanOrEqualTo(evicted.until() + SKEW.toMillis());
                long id = other.ids().nextId();
                assertThat(stream.ids()).isSorted().doesNotHaveDuplicates().doesNotContain(id);
            }
        }
    }

    @Test
    void inAQuarantineHoldersGoOnAndNobodyStarts() {
        try (Nodes nodes = new Nodes(server.port()).init(Duration.ofMinutes(10), SKEW, 0, 1023);
                RegistryAdmin admin = nodes.builder("operator").openAdmin()) {
            Node holder = nodes.start("a");
            long before = holder.ids().nextId();
            long now = admin.coordinatorMillis();

            RegistryRecord quarantined = admin.quarantine();

            long until = quarantined.quarantineUntil();
            assertThat(until).isGreaterThanOrEqualTo(now + 604_000);
            assertThat(admin.registry()).contains(quarantined);
            assertThat(holder.ids().nextId()).isGreaterThan(before);
            assertThatExceptionOfType(NotGrantableYetException.class)
                    .isThrownBy(
                            () -> nodes.builder("b").startTimeout(Duration.ZERO).connect())
                    .satisfies(e -> assertThat(e)
                            .hasMessage("registry in quarantine until " + Instant.ofEpochMilli(until)
                                    + ": no lease is granted before " + e.grantableAt() + ", in " + e.waitMillis()
                                    + " ms by the coordinator's clock; try again then, or raise the start timeout"))
                    .satisfies(e -> assertThat(e.grantableAt())
                            .isEqualTo(Instant.ofEpochMilli(until).minus(SKEW)));
            assertThat(admin.quarantine().quarantineUntil()).isGreaterThanOrEqualTo(until);
        }
    }

    @Test
    void saysThatThereIsNoRegistry() {
        try (Nodes nodes = new Nodes(server.port());
                RegistryAdmin admin = nodes.builder("operator").openAdmin()) {
            String message = "no registry of namespace '" + nodes.namespace + "' on coordinator " + admin.servers()
                    + ": make one with 'init', or let the first node make it by connecting";
            assertThatExceptionOfType(RegistryNotFoundException.class)
                    .isThrownBy(() -> admin.evict(0))
                    .withMessage(message);
            assertThatExceptionOfType(RegistryNotFoundException.class)
                    .isThrownBy(admin::quarantine)
                    .withMessage(message);
            assertThat(admin.registry()).isEmpty();
        }
    }
}
