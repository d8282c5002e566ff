package io.snowlease.registry.redis;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.held;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.snowlease.registry.LeaseState;
import io.snowlease.registry.LeaseStatus;
import io.snowlease.registry.NotGrantableYetException;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server can do to those that lease from it. */
class ServerFaultsTest {
    private static final Duration D = Duration.ofSeconds(20);
    private static final Duration S = Duration.ofSeconds(1);
    private static final String[] SYNCED = {"appendonly yes", "appendfsync always"};

    @TempDir
    private Path folder;

    @Test
    void afterARestartThatLostNothingHoldersGoOnAndNewOnesWait() throws Exception {
        try (RedisServer server = new RedisServer(folder, SYNCED);
                Nodes nodes = new Nodes(server.uri()).init(D, S, 7)) {
            Nodes.Node holder = nodes.start("a");
            RegistryRecord before = nodes.registry();
            LeaseStatus lease = holder.lease();

            server.kill();
            server.restart();

            assertThatExceptionOfType(NotGrantableYetException.class)
                    .isThrownBy(() -> nodes.start(nodes.builder("b").startTimeout(Duration.ZERO)))
                    .withMessageStartingWith("registry in quarantine until ");
            RegistryRecord after = nodes.registry();
            assertThat(after.registryId()).isEqualTo(before.registryId());
            assertThat(after.serverIdentity()).isNotEqualTo(before.serverIdentity());
            assertThat(after.quarantineUntil()).isGreaterThan(before.createdAt() + D.toMillis());
            await().atMost(D).until(() -> holder.lease().untilMillis() > lease.untilMillis());
            assertThat(holder.ids().workerId()).isEqualTo(lease.worker());
            assertThat(holder.ids().nextId()).isPositive();
        }
    }

    @Test
    void afterTheQuarantineNewLeasesStartAboveIt() throws Exception {
        try (RedisServer server = new RedisServer(folder, SYNCED);
                Nodes nodes = new Nodes(server.uri()).init(Duration.ofSeconds(2), S, 7)) {
            nodes.start("a");
            server.kill();
            server.restart();

            Nodes.Node late = nodes.start("b");

            RegistryRecord registry = nodes.registry();
            assertThat(registry.quarantineUntil()).isPositive();
            assertThat(late.ids().layout().decode(late.ids().nextId()).timestampMillis())
                    .isGreaterThanOrEqualTo(registry.quarantineUntil());
        }
    }

    @Test
    void aRegistryThatIsLostInARestartIsMadeAnewAboveAllThatItGranted() throws Exception {
        try (RedisServer server = new RedisServer(folder);
                Nodes nodes = new Nodes(server.uri()).init(D, S, 7)) {
            Nodes.Node holder = nodes.start("a");
            RegistryRecord before = nodes.registry();

            server.kill();
            server.restart();

            assertIsMadeAnew(nodes, holder, before);
        }
    }

    @Test
    void aRegistryThatIsFlushedIsMadeAnewAboveAllThatItGranted() throws Exception {
        try (RedisServer server = new RedisServer(folder);
                Nodes nodes = new Nodes(server.uri()).init(D, S, 7)) {
            Nodes.Node holder = nodes.start("a");
            RegistryRecord before = nodes.registry();

            assertThat(server.ask("FLUSHALL")).isEqualTo("OK");

            assertIsMadeAnew(nodes, holder, before);
        }
    }

    private static void assertIsMadeAnew(Nodes nodes, Nodes.Node holder, RegistryRecord before) {
        LeaseStatus lease = holder.lease();
        assertThatExceptionOfType(NotGrantableYetException.class)
                .isThrownBy(() -> nodes.start(nodes.builder("b").startTimeout(Duration.ZERO)))
                .withMessageStartingWith("registry in quarantine until ");
        RegistryRecord after = nodes.registry();
        assertThat(after.registryId()).isNotEqualTo(before.registryId());
        // The holder, at its next renewal, tells the registry of its own bound too.
        await().atMost(D).until(() -> nodes.registry().quarantineUntil() >= lease.untilMillis() + 2 * S.toMillis());
        assertThat(holder.ids().nextId()).isPositive();
        assertThat(holder.ids().workerId()).isEqualTo(lease.worker());
    }

    @Test
    void idsKeepComingWhileTheServerIsFrozen() throws Exception {
        try (RedisServer server = new RedisServer(folder);
                Nodes nodes = new Nodes(server.uri()).init(Duration.ofSeconds(12), S, 7)) {
            Nodes.Node holder = nodes.start(nodes.builder("a").callTimeout(Duration.ofMillis(500)));
            server.freeze();
            try {
                await().atMost(Duration.ofSeconds(20)).until(() -> {
                    long id = holder.ids().nextId();
                    return id > 0 && holder.lease().state() == LeaseState.DEGRADED;
                });
            } finally {
                server.thaw();
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> holder.lease().state() == LeaseState.HELD);
            assertThat(holder.ids().nextId()).isPositive();
        }
    }

    /** Nothing of it is sent again behind the caller's back: the next server may be another one. */
    @Test
    void aWriteWhoseAnswerWasLostIsNotSentAgain() throws Exception {
        try (RedisServer server = new RedisServer(folder, SYNCED);
                RedisStore store = Stores.open(server.uri(), "lost")) {
            RegistryView view = makeRegistry(store, 0, 7);
            claimNew(store, view, "before", T);
            StoredSlot free = store.nextNeverUsed(view).orElseThrow();
            server.freeze();

            CompletableFuture<Throwable> failed = CompletableFuture.supplyAsync(() ->
                    thrownBy(() -> store.write(view, free, held(free.worker(), "a", T), Long.MAX_VALUE)));
            await().until(() -> server.hasUnread());
            server.kill();
            server.restart();

            assertThat(failed.join())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage(
                            "no answer from Redis at 127.0.0.1:" + server.port + " while writing the slot of worker "
                                    + free.worker()
                                    + ", within 30000 ms or before the connection was lost: it may have happened,"
                                    + " or may yet");
            assertThat(store.read(free.worker()).record()).isNull();
        }
    }

    @Test
    void aWriteThatTheServerTookTooLongForMayYetHappen() throws Exception {
        try (RedisServer server = new RedisServer(folder);
                RedisStore store = Stores.open(server.uri(), "late", Stores.options(Duration.ofSeconds(1)))) {
            RegistryView view = makeRegistry(store, 0, 7);
            // The server knows the script by then: it is not asked for first.
            claimNew(store, view, "before", T);
            StoredSlot free = store.nextNeverUsed(view).orElseThrow();
            SlotRecord next = held(free.worker(), "a", T);
            server.freeze();

            assertThat(thrownBy(() -> store.write(view, free, next, Long.MAX_VALUE)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage(
                            "no answer from Redis at 127.0.0.1:" + server.port + " while writing the slot of worker "
                                    + free.worker()
                                    + ", within 1000 ms or before the connection was lost: it may have happened,"
                                    + " or may yet");
            assertThat(thrownBy(() -> store.read(free.worker())))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageStartingWith("no connection to Redis at 127.0.0.1:" + server.port + " within 1000 ms"
                            + " while reading the slot of worker " + free.worker());
            server.thaw();

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> next.equals(store.read(free.worker()).record()));
        }
    }

    @Test
    void aServerThatIsAwayIsNamed() throws Exception {
        int port = RedisServer.freePort();
        try (RedisStore store =
                Stores.open("redis://127.0.0.1:" + port, "away", Stores.options(Duration.ofMillis(300)))) {
            assertThat(thrownBy(store::view))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageStartingWith("no connection to Redis at 127.0.0.1:" + port
                            + " within 300 ms while looking at the registry: Connection refused");
        }
    }

    @Test
    void hintsThatOthersHaveTouchedArePutRight() throws Exception {
        try (RedisServer server = new RedisServer(folder);
                RedisStore store = Stores.open(server.uri(), "hints")) {
            RegistryView view = makeRegistry(store, 0, 2);
            List<Integer> workers = List.of(
                    claimNew(store, view, "a", T + 10).worker(),
                    claimNew(store, view, "b", T + 20).worker());
            for (String hint : List.of("bounds", "nodes", "offers")) {
                String key = "snowlease:{hints}:" + hint;
                server.ask("DEL", key);
                server.ask("SET", key, "no such thing");
            }
            server.ask("DEL", "snowlease:{hints}:bounds");

            assertThat(store.bounds(9)).extracting("worker").containsExactlyElementsOf(workers);
            assertThat(store.workersOf("a")).isEmpty();
            StoredSlot third = claimNew(store, view, "c", T + 30);
            assertThat(third.worker()).isEqualTo(2);
            assertThat(store.bounds(9)).extracting("worker").containsExactly(0, 1, 2);
            assertThat(store.nextNeverUsed(view)).isEmpty();
        }
    }

    private static Throwable thrownBy(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            return e;
        }
        throw new AssertionError("nothing was thrown");
    }
}
