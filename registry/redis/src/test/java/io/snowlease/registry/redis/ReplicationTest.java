package io.snowlease.registry.redis;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.held;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static io.snowlease.registry.contract.StoreSamples.recordOf;
import static io.snowlease.registry.contract.StoreSamples.registryOf;
import static io.snowlease.registry.contract.StoreSamples.released;
import static io.snowlease.registry.contract.StoreSamples.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.snowlease.registry.NotGrantableYetException;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A primary and a replica that an operator promotes. */
class ReplicationTest {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private RedisServer primary;
    private RedisServer replica;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        primary = new RedisServer(folder.resolve("primary"), "repl-diskless-sync-delay 0");
        replica = new RedisServer(folder.resolve("replica"), "replicaof 127.0.0.1 " + primary.port);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> replica.info("master_link_status").equals("up")
                        && primary.info("slave0").contains("state=online"));
    }

    @AfterEach
    void stop() throws Exception {
        replica.thaw();
        primary.thaw();
        replica.close();
        primary.close();
    }

    @Test
    void aRegistryWithReplicasAllowsForAReplacedPrimary() {
        try (RedisStore store = open(primary, "lag")) {
            RegistryView view = makeRegistry(store, 0, 7);

            assertThat(registryOf(view).lagMillis()).isEqualTo(30_000);
        }
    }

    @Test
    void aLeaseCountsOnceTheReplicaHasIt() throws Exception {
        try (RedisStore store = open(primary, "wait")) {
            RegistryView view = makeRegistry(store, 0, 7);
            StoredSlot held = claimNew(store, view, "a", T);
            SlotRecord next = renewed(recordOf(held), T + 10);
            replica.freeze();

            assertNotAcknowledged(
                    () -> store.write(view, held, next, NO_LIMIT), "writing the slot of worker " + held.worker());
            // It is there, but at the primary alone: that proves nothing.
            assertNotAcknowledged(() -> store.read(held.worker()), "reading the slot of worker " + held.worker());
            assertNotAcknowledged(
                    () -> store.write(view, held, next, NO_LIMIT), "writing the slot of worker " + held.worker());

            replica.thaw();
            await().atMost(Duration.ofSeconds(30))
                    .ignoreException(StoreUnavailableException.class)
                    .until(() -> next.equals(store.read(held.worker()).record()));
            assertThat(store.write(view, held, next, NO_LIMIT)).isEqualTo(WriteResult.WRITTEN);
        }
    }

    @Test
    void givingALeaseBackWaitsForNoReplica() throws Exception {
        try (RedisStore store = open(primary, "release")) {
            RegistryView view = makeRegistry(store, 0, 7);
            StoredSlot held = claimNew(store, view, "a", T);
            replica.freeze();

            assertThat(store.write(view, held, released(recordOf(held), T), NO_LIMIT))
                    .isEqualTo(WriteResult.WRITTEN);
        }
    }

    @Test
    void anOperatorMaySayThatNoReplicaCounts() throws Exception {
        try (RedisStore store = Stores.open(primary.uri() + "?replicas=0&lag=2s", "none")) {
            RegistryView view = makeRegistry(store, 0, 7);
            replica.freeze();

            assertThat(claimNew(store, view, "a", T).record()).isNotNull();
            assertThat(registryOf(view).lagMillis()).isEqualTo(2_000);
        }
    }

    /** {@code min-replicas-to-write} does not stop it. A fresh process, too, that has never seen its replica. */
    @Test
    void aFrozenPrimaryThatWakesUpAfterItWasReplacedGrantsNothing() throws Exception {
        try (RedisStore old = open(primary, "frozen")) {
            RegistryView view = makeRegistry(old, 0, 7);
            StoredSlot held = claimNew(old, view, "a", T);
            primary.freeze();
            assertThat(replica.ask("REPLICAOF", "NO", "ONE")).isEqualTo("OK");
            primary.thaw();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> primary.info("connected_slaves").equals("0"));

            String writing = "writing the slot of worker " + held.worker();
            assertNotAcknowledged(() -> old.write(view, held, renewed(recordOf(held), T + 10), NO_LIMIT), writing);
            try (RedisStore fresh = open(primary, "frozen")) {
                assertNotAcknowledged(
                        () -> fresh.write(
                                fresh.view(),
                                fresh.read(held.worker()),
                                renewed(recordOf(fresh.read(held.worker())), T + 20),
                                NO_LIMIT),
                        writing);
            }
        }
    }

    @Test
    void afterAFailoverHoldersGoOnAndNewLeasesWait() throws Exception {
        Duration d = Duration.ofSeconds(20);
        Duration s = Duration.ofSeconds(1);
        try (Nodes nodes = new Nodes(primary.uri()).init(d, s, 7)) {
            Nodes.Node holder = nodes.start("a");
            long before = holder.lease().untilMillis();
            RegistryRecord granted = nodes.registry();
            primary.kill();
            assertThat(replica.ask("REPLICAOF", "NO", "ONE")).isEqualTo("OK");

            try (RedisStore promoted = Stores.open(replica.uri(), nodes.namespace)) {
                RegistryView view = promoted.view();
                assertThat(registryOf(view)).isEqualTo(granted);
                assertThat(view.serverIdentity()).isNotEqualTo(granted.serverIdentity());
                assertThat(recordOf(promoted.read(holder.ids().workerId())).until())
                        .isGreaterThanOrEqualTo(before);
                // What is planned on the old server is not done on the new one.
                StoredSlot free = promoted.nextNeverUsed(view).orElseThrow();
                RegistryView seenAtOld =
                        new RegistryView(view.record(), view.now(), granted.serverIdentity(), view.stamp());
                assertThat(promoted.write(seenAtOld, free, held(free.worker(), "b", T), NO_LIMIT))
                        .isEqualTo(WriteResult.REGISTRY_CHANGED);
                assertThat(promoted.read(free.worker()).record()).isNull();

                Nodes moved = nodes.at(replica.uri() + "?replicas=0");
                assertThatExceptionOfType(NotGrantableYetException.class)
                        .isThrownBy(() -> moved.start(moved.builder("b").startTimeout(Duration.ZERO)))
                        .withMessageStartingWith("registry in quarantine until ");
                assertThat(registryOf(promoted.view()).quarantineUntil())
                        .isGreaterThanOrEqualTo(view.now() + d.toMillis() + 2 * s.toMillis() + 30_000);
            }
            assertThat(holder.ids().nextId()).isPositive();
        }
    }

    /** {@code run_id} alone is the same as before. */
    @Test
    void aFailoverAndBackIsSeen() throws Exception {
        try (RedisStore store = open(primary, "back")) {
            RegistryView view = makeRegistry(store, 0, 7);
            // Comes back once the replica has it.
            claimNew(store, view, "before", T);
            replica.ask("REPLICAOF", "NO", "ONE");
            primary.ask("REPLICAOF", "127.0.0.1", String.valueOf(replica.port));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> primary.info("master_link_status").equals("up"));
            primary.ask("REPLICAOF", "NO", "ONE");

            RegistryView after = store.view();

            assertThat(after.record()).isEqualTo(view.record());
            assertThat(after.serverIdentity()).isNotEqualTo(view.serverIdentity());
            assertThat(after.serverIdentity().substring(0, 40))
                    .isEqualTo(view.serverIdentity().substring(0, 40));
            StoredSlot free = store.nextNeverUsed(after).orElseThrow();
            assertThat(store.write(view, free, held(free.worker(), "a", T), NO_LIMIT))
                    .isEqualTo(WriteResult.REGISTRY_CHANGED);
            assertThat(store.replace(view, registryOf(view))).isFalse();
        }
    }

    @Test
    void aReplicaIsNotAsked() {
        try (RedisStore store = Stores.open(replica.uri(), "replica", Stores.options(Duration.ofSeconds(4)))) {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(store::view)
                    .withMessage("no use of Redis at 127.0.0.1:" + replica.port + " within 4000 ms while looking at the"
                            + " registry: it is a replica; name the primary, or use redis-sentinel:// or"
                            + " redis-cluster:// (READONLY)");
        }
    }

    private static RedisStore open(RedisServer server, String namespace) {
        return Stores.open(server.uri(), namespace);
    }

    private void assertNotAcknowledged(Runnable call, String what) {
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(call::run)
                .withMessage("0 of 1 replicas of Redis at 127.0.0.1:" + primary.port
                        + " have acknowledged what was sent"
                        + " while " + what + ": it does not count until they have, as it is lost if one of them takes"
                        + " over now; bring them back, or say how many there are by ?replicas=N in the URI");
    }
}
