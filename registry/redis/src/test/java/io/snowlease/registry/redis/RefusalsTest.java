package io.snowlease.registry.redis;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static io.snowlease.registry.contract.StoreSamples.recordOf;
import static io.snowlease.registry.contract.StoreSamples.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators meet: a server that is there, and refuses. A write that it refused has not happened. */
class RefusalsTest {
    @TempDir
    private Path folder;

    private RedisServer server;
    private RedisStore store;
    private RegistryView view;
    private StoredSlot held;

    @BeforeEach
    void lease() throws Exception {
        server = new RedisServer(folder, "lua-time-limit 20");
        store = Stores.open(server.uri(), "refused", Stores.options(Duration.ofSeconds(5)));
        view = makeRegistry(store, 0, 7);
        held = claimNew(store, view, "a", T);
    }

    @AfterEach
    void stop() {
        store.close();
        server.close();
    }

    private WriteResult renew() {
        return store.write(view, held, renewed(recordOf(held), T + 10), Long.MAX_VALUE);
    }

    private void assertRefused(String code, String advice) {
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(this::renew)
                .withMessageStartingWith(
                        "Redis at 127.0.0.1:" + server.port + " refused what was sent while writing the slot of worker "
                                + held.worker() + ": " + code + " ")
                .withMessageEndingWith("; " + advice);
        assertThat(store.read(held.worker())).isEqualTo(held);
    }

    @Test
    void aServerWhoseMemoryIsFullIsToBeGivenMore() {
        server.ask("CONFIG", "SET", "maxmemory", "1");

        assertRefused("OOM", "give it more maxmemory: leases can't be granted or renewed without");

        server.ask("CONFIG", "SET", "maxmemory", "0");
        assertThat(renew()).isEqualTo(WriteResult.WRITTEN);
    }

    @Test
    void aServerThatCannotSaveIsToHaveItsDiskPutRight() throws Exception {
        server.ask("CONFIG", "SET", "save", "3600 1");
        // Nothing can be renamed to a folder that holds something.
        Path inTheWay = Files.createDirectories(folder.resolve("dump.rdb").resolve("x"));
        server.ask("BGSAVE");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> server.info("rdb_last_bgsave_status").equals("err"));

        assertRefused("MISCONF", "put its disk right: it can't save, and takes no writes");

        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
        server.ask("BGSAVE");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> server.info("rdb_last_bgsave_status").equals("ok"));
        assertThat(renew()).isEqualTo(WriteResult.WRITTEN);
    }

    @Test
    void aServerThatMissesItsReplicasIsToHaveThemBack() {
        server.ask("CONFIG", "SET", "min-replicas-to-write", "1");

        assertRefused("NOREPLICAS", "bring its replicas back: min-replicas-to-write asks for more than there are");

        server.ask("CONFIG", "SET", "min-replicas-to-write", "0");
        assertThat(renew()).isEqualTo(WriteResult.WRITTEN);
    }

    @Test
    void aServerThatRunsAScriptForTooLongIsWaitedFor() {
        CompletableFuture<String> script =
                CompletableFuture.supplyAsync(() -> server.ask("EVAL", "while true do end", "0"));
        await().atMost(Duration.ofSeconds(30)).until(() -> server.ask("PING").startsWith("BUSY"));

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(this::renew)
                .withMessageContaining("127.0.0.1:" + server.port)
                .withMessageContaining("while writing the slot of worker " + held.worker())
                .withMessageEndingWith("a script of another client has been running for too long: see what it is, and"
                        + " SCRIPT KILL (BUSY)");

        assertThat(server.ask("SCRIPT", "KILL")).isEqualTo("OK");
        assertThat(script.join()).contains("killed");
        assertThat(renew()).isEqualTo(WriteResult.WRITTEN);
    }
}
