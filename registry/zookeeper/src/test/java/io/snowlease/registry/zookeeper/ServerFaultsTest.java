package io.snowlease.registry.zookeeper;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.held;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static io.snowlease.registry.contract.StoreSamples.recordOf;
import static io.snowlease.registry.contract.StoreSamples.registry;
import static io.snowlease.registry.contract.StoreSamples.registryOf;
import static io.snowlease.registry.contract.StoreSamples.renewed;
import static io.snowlease.registry.contract.StoreSamples.taken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.SlotBound;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One server that is cut off, restarted, wiped or tampered with. */
class ServerFaultsTest {
    private static final String NAMESPACE = "/test/chroot/snowlease/orders";
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final List<ZooKeeperStore> stores = new ArrayList<>();

    @TempDir
    private Path folder;

    private EmbeddedServer server;

    @BeforeAll
    static void beInNoHurry() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    }

    @AfterAll
    static void reset() {
        Awaitility.reset();
    }

    @BeforeEach
    void start() throws Exception {
        server = Servers.start(folder);
    }

    @AfterEach
    void stop() throws Exception {
        stores.forEach(ZooKeeperStore::close);
        server.stop();
    }

    @Test
    void aWriteWhoseReplyIsLostIsUnclearAndCanBeReadBack() throws Exception {
        try (FaultyLink link = new FaultyLink(server.port())) {
            ZooKeeperStore patient = open(server.port(), Duration.ofSeconds(60));
            RegistryView view = makeRegistry(patient, 0, 3);
            StoredSlot slot = claimNew(patient, view, "a", T);
            ZooKeeperStore store = open(link.port(), Duration.ofSeconds(2));
            await().ignoreExceptions().until(() -> store.view() != null);
            SlotRecord next = renewed(recordOf(slot), T + 1);

            link.dropReplies();
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> store.write(view, slot, next, NO_LIMIT))
                    .withMessage("no answer from ZooKeeper at 127.0.0.1:" + link.port()
                            + "/test/chroot while writing the slot of worker 0, within 2000 ms or before the"
                            + " connection was lost: it may have happened, or may yet");
            link.restore();

            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(store.read(0).record()).isEqualTo(next));
            assertThat(patient.write(view, slot, next, NO_LIMIT)).isEqualTo(WriteResult.WRITTEN);
        }
    }

    @Test
    void aConnectionThatIsCutDuringAWriteMakesItUnclearAtOnce() throws Exception {
        try (FaultyLink link = new FaultyLink(server.port())) {
            ZooKeeperStore store = open(link.port(), Duration.ofSeconds(60));
            RegistryView view = makeRegistry(store, 0, 3);
            StoredSlot slot = claimNew(store, view, "a", T);
            SlotRecord next = renewed(recordOf(slot), T + 1);

            link.dropReplies();
            CompletableFuture<WriteResult> write =
                    CompletableFuture.supplyAsync(() -> store.write(view, slot, next, NO_LIMIT));
            try (RawClient raw = new RawClient(server.port())) {
                await().until(() ->
                        text(raw.zk, NAMESPACE + "/workers/worker-0000000000").contains("\"until\":" + (T + 1)));
            }
            link.restore();

            assertThat(write)
                    .failsWithin(Duration.ofSeconds(50))
                    .withThrowableThat()
                    .withCauseInstanceOf(StoreUnavailableException.class);
            assertThat(store.read(0).record()).isEqualTo(next);
        }
    }

    @Test
    void readsWaitForTheConnectionToComeBack() throws Exception {
        try (FaultyLink link = new FaultyLink(server.port())) {
            ZooKeeperStore store = open(link.port(), Duration.ofSeconds(60));
            RegistryView view = makeRegistry(store, 0, 3);
            StoredSlot slot = claimNew(store, view, "a", T);

            link.cut();

            assertThat(store.view().record()).isEqualTo(view.record());
            link.cut();
            assertThat(store.read(0).record()).isEqualTo(slot.record());
        }
    }

    @Test
    void callsEndInTimeWhenNoServerAnswers() throws Exception {
        int port = server.port();
        server.stop();
        ZooKeeperStore store = open(port, Duration.ofMillis(300));

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(store::view)
                .withMessage("no connection to ZooKeeper at 127.0.0.1:" + port
                        + "/test/chroot within 300 ms while looking at the registry");
        server = EmbeddedServer.start(folder, port);
        await().ignoreExceptions().until(() -> store.view().record() == null);
    }

    @Test
    void closingEndsACallThatWaits() throws Exception {
        int port = server.port();
        server.stop();
        ZooKeeperStore store = open(port, Duration.ofMinutes(2));
        CompletableFuture<RegistryView> view = CompletableFuture.supplyAsync(store::view);

        store.close();

        assertThat(view)
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withCauseInstanceOf(StoreUnavailableException.class);
        server = EmbeddedServer.start(folder, port);
    }

    @Test
    void aKilledSessionChangesNothing() throws Exception {
        ZooKeeperStore store = open(server.port(), Duration.ofSeconds(30));
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot slot = claimNew(store, view, "a", T);

        kill(store);

        assertThat(store.read(0).record()).isEqualTo(slot.record());
        assertThat(store.write(view, slot, renewed(recordOf(slot), T + 1), NO_LIMIT))
                .isEqualTo(WriteResult.WRITTEN);
    }

    @Test
    void aRestartKeepsEverything() throws Exception {
        int port = server.port();
        ZooKeeperStore store = open(port, Duration.ofSeconds(30));
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot slot = claimNew(store, view, "a", T);

        server.stop();
        server = EmbeddedServer.start(folder, port);

        assertThat(store.view().record()).isEqualTo(view.record());
        assertThat(store.read(0).record()).isEqualTo(slot.record());
        assertThat(store.write(view, slot, renewed(recordOf(slot), T + 1), NO_LIMIT))
                .isEqualTo(WriteResult.WRITTEN);
        assertThat(claimNew(store, view, "b", T).worker()).isEqualTo(1);
    }

    /** The registry made anew is in the same version as the lost one, and so is its slot. */
    @Test
    void aWritePlannedOnALostRegistryIsRefusedAlthoughTheVersionsAreThoseOfTheNewOne(@TempDir Path empty)
            throws Exception {
        int port = server.port();
        ZooKeeperStore store = open(port, Duration.ofSeconds(30));
        RegistryView before = makeRegistry(store, 0, 3);
        StoredSlot slot = claimNew(store, before, "a", T);

        server.stop();
        server = EmbeddedServer.start(empty, port);
        assertThat(store.view().record()).isNull();
        assertThat(store.write(before, slot, renewed(recordOf(slot), T + 1), NO_LIMIT))
                .isEqualTo(WriteResult.REGISTRY_CHANGED);
        RegistryView after = makeRegistry(store, 0, 3);
        StoredSlot other = claimNew(store, after, "b", T + 7);

        assertThat(store.write(before, slot, renewed(recordOf(slot), T + 1), NO_LIMIT))
                .isEqualTo(WriteResult.REGISTRY_CHANGED);
        assertThat(store.write(after, slot, renewed(recordOf(slot), T + 1), NO_LIMIT))
                .isEqualTo(WriteResult.SLOT_CHANGED);
        assertThat(store.replace(before, registry(store, 0, 7))).isFalse();
        assertThat(store.read(0).record()).isEqualTo(other.record());
    }

    @Test
    void aRegistryMadeAnewWithAnotherRangeIsReadByItsOwnRange() throws Exception {
        ZooKeeperStore store = open(server.port(), Duration.ofSeconds(30));
        claimNew(store, makeRegistry(store, 0, 511), "a", T);
        try (RawClient raw = new RawClient(server.port())) {
            ZKUtil.deleteRecursive(raw.zk, NAMESPACE);
        }
        ZooKeeperStore another = open(server.port(), Duration.ofSeconds(30));
        StoredSlot slot = claimNew(another, makeRegistry(another, 512, 1023), "b", T);

        assertThat(store.read(0).record()).isNull();
        assertThat(store.read(512).record()).isEqualTo(slot.record());
    }

    // What an operator may do

    @Test
    void anIndexEntryThatWasDeletedIsMadeAgainByTheNextWrite() throws Exception {
        ZooKeeperStore store = open(server.port(), Duration.ofSeconds(30));
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot slot = claimNew(store, view, "a", T);
        try (RawClient raw = new RawClient(server.port())) {
            ZKUtil.deleteRecursive(raw.zk, NAMESPACE + "/bounds");
            ZKUtil.deleteRecursive(raw.zk, NAMESPACE + "/nodes");
            ZKUtil.deleteRecursive(raw.zk, NAMESPACE + "/id");
            raw.zk.delete(NAMESPACE + "/time", -1);
        }

        view = store.view();
        assertThat(store.write(view, slot, taken(recordOf(slot), "b", T + 9), NO_LIMIT))
                .isEqualTo(WriteResult.WRITTEN);
        assertThat(store.bounds(10)).containsExactly(new SlotBound(0, T + 9, false));
        assertThat(store.workersOf("b")).containsExactly(0);
        assertThat(store.replace(view, registryOf(view))).isTrue();
    }

    @Test
    void indexEntriesThatWereDeletedAreMadeAgainWhenTheRangeIsUsedUp() throws Exception {
        ZooKeeperStore store = open(server.port(), Duration.ofSeconds(30));
        RegistryView view = makeRegistry(store, 0, 3);
        for (int i = 0; i < 4; i++) {
            claimNew(store, view, "n" + i, T + i);
        }
        List<SlotBound> bounds = store.bounds(10);
        try (RawClient raw = new RawClient(server.port())) {
            ZKUtil.deleteRecursive(raw.zk, NAMESPACE + "/bounds");
        }

        assertThat(store.nextNeverUsed(view)).isEmpty();
        assertThat(store.bounds(10)).containsExactlyElementsOf(bounds);
    }

    @Test
    void garbageThatTheIndexDoesNotKnowIsNotTakenForANeverUsedSlot() throws Exception {
        ZooKeeperStore store = open(server.port(), Duration.ofSeconds(30));
        RegistryView view = makeRegistry(store, 0, 3);
        for (int i = 0; i < 3; i++) {
            claimNew(store, view, "n" + i, T + i);
        }
        List<SlotBound> bounds = store.bounds(10);
        String zero = NAMESPACE + "/workers/worker-0000000000";
        String one = NAMESPACE + "/workers/worker-0000000001";
        try (RawClient raw = new RawClient(server.port())) {
            ZKUtil.deleteRecursive(raw.zk, NAMESPACE + "/bounds");
            raw.zk.setData(one, raw.zk.getData(zero, false, null), -1);
            raw.zk.setData(zero, bytes("garbage"), -1);
        }

        assertThat(store.nextNeverUsed(view).orElseThrow().worker()).isEqualTo(3);
        StoredSlot unclaimed = store.nextNeverUsed(view).orElseThrow();
        assertThat(unclaimed.worker()).isEqualTo(3);
        assertThat(store.bounds(10)).containsExactly(bounds.get(2));
        assertThat(store.write(view, unclaimed, held(3, "d", T), NO_LIMIT)).isEqualTo(WriteResult.WRITTEN);
        assertThat(store.nextNeverUsed(view)).isEmpty();
    }

    /** Its bound is not known any more: that worker id is not handed out as if it had never been. */
    @Test
    void aSlotThatWasDeletedIsNotHandedOutAgain() throws Exception {
        ZooKeeperStore store = open(server.port(), Duration.ofSeconds(30));
        RegistryView view = makeRegistry(store, 0, 2);
        claimNew(store, view, "a", T);
        StoredSlot deleted = claimNew(store, view, "b", T);
        try (RawClient raw = new RawClient(server.port())) {
            raw.zk.delete(NAMESPACE + "/workers/worker-0000000001", -1);
        }

        assertThat(store.read(1).record()).isNull();
        assertThat(store.write(view, deleted, renewed(recordOf(deleted), T + 1), NO_LIMIT))
                .isEqualTo(WriteResult.SLOT_CHANGED);
        assertThat(store.write(view, store.read(1), held(1, "c", T), NO_LIMIT)).isEqualTo(WriteResult.SLOT_CHANGED);
        assertThat(claimNew(store, view, "c", T).worker()).isEqualTo(2);
        assertThat(store.nextNeverUsed(view)).isEmpty();
        try (RawClient raw = new RawClient(server.port())) {
            assertThat(raw.zk.getChildren(NAMESPACE + "/workers", false)).hasSize(2);
        }
    }

    @Test
    void noNodeIsMadePastTheRangeOnceItIsUsedUp() throws Exception {
        ZooKeeperStore store = open(server.port(), Duration.ofSeconds(30));
        RegistryView view = makeRegistry(store, 0, 1);
        claimNew(store, view, "a", T);
        claimNew(store, view, "b", T);

        assertThat(store.nextNeverUsed(view)).isEmpty();
        assertThat(store.nextNeverUsed(view)).isEmpty();

        try (RawClient raw = new RawClient(server.port())) {
            assertThat(raw.zk.getChildren(NAMESPACE + "/workers", false)).hasSize(2);
        }
    }

    @Test
    void garbageIsNamedNotGuessedAt() throws Exception {
        ZooKeeperStore store = open(server.port(), Duration.ofSeconds(30));
        claimNew(store, makeRegistry(store, 0, 3), "a", T);
        try (RawClient raw = new RawClient(server.port())) {
            raw.zk.setData(NAMESPACE + "/workers/worker-0000000000", bytes("{\"worker\":0}"), -1);
            assertThatExceptionOfType(MalformedRecordException.class)
                    .isThrownBy(() -> store.read(0))
                    .withMessage("ZooKeeper node " + NAMESPACE
                            + "/workers/worker-0000000000: field 'epoch' must be a 64-bit integer, found nothing");
            raw.zk.setData(NAMESPACE, bytes(""), -1);
            assertThatExceptionOfType(MalformedRecordException.class)
                    .isThrownBy(store::view)
                    .withMessage("ZooKeeper node " + NAMESPACE + ": must be a JSON object, found nothing");
        }
    }

    @Test
    void namesItsServers() {
        assertThat(open(server.port(), Duration.ofSeconds(1)).servers())
                .isEqualTo("127.0.0.1:" + server.port() + "/test/chroot");
    }

    private ZooKeeperStore open(int port, Duration callTimeout) {
        ZooKeeperStore store = Servers.open(port, "orders", Servers.options(callTimeout), operation -> {});
        stores.add(store);
        return store;
    }

    /** Ends the store's session at the server, as an expiry does. */
    private void kill(ZooKeeperStore store) throws Exception {
        ZooKeeper victim = handleOf(store);
        new RawClient(server.port(), victim).close();
        await().ignoreExceptions().until(() -> handleOf(store) != victim);
    }

    private static ZooKeeper handleOf(ZooKeeperStore store) {
        return Objects.requireNonNull(store.connection().handle());
    }

    private static String text(ZooKeeper zk, String path) throws Exception {
        return new String(zk.getData(path, false, null), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
