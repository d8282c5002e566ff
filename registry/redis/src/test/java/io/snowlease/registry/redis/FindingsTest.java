package io.snowlease.registry.redis;

import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.snowlease.registry.spi.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator is told of a server, by its own words. */
class FindingsTest {
    private static final String NOTICED = "; that is noticed, and no new lease starts for D + 2S + L then";

    @TempDir
    private Path folder;

    private static List<String> lines(RedisStore store) {
        return store.findings().stream()
                .map(finding -> finding.level() + " " + finding.check() + ": " + finding.found()
                        + (finding.advice().isEmpty() ? "" : " -> " + finding.advice()))
                .toList();
    }

    private static String line(RedisStore store, String check) {
        return lines(store).stream()
                .filter(line -> line.contains(" " + check + ": "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void oneServerThatKeepsNothing() throws Exception {
        try (RedisServer server = new RedisServer(folder);
                RedisStore store = Stores.open(server.uri(), "nothing")) {
            assertThat(lines(store))
                    .containsExactly(
                            "OK servers: Redis " + server.info("redis_version") + " at 127.0.0.1:" + server.port
                                    + ", a primary",
                            "WARNING durability: nothing is kept on disk: a restart loses the registry and all leases"
                                    + NOTICED + " -> appendonly yes, and appendfsync always",
                            "OK memory: no maxmemory (noeviction): nothing is evicted",
                            "WARNING replicas: no replica: with this server's disk all leases are lost -> add one, or two"
                                    + " and sentinels, for leases to outlast a server",
                            "OK min-replicas: min-replicas-to-write 0, and there are no replicas");
        }
    }

    @Test
    void whatEachWayToPersistWouldLose() throws Exception {
        try (RedisServer server = new RedisServer(folder, "appendonly yes", "appendfsync always");
                RedisStore store = Stores.open(server.uri(), "disk")) {
            assertThat(line(store, "durability"))
                    .isEqualTo(
                            "OK durability: an append-only file, synced before a lease is acknowledged: a crash loses"
                                    + " none");
            server.ask("CONFIG", "SET", "no-appendfsync-on-rewrite", "yes");
            assertThat(line(store, "durability"))
                    .isEqualTo(
                            "WARNING durability: an append-only file, synced before a lease is acknowledged, but not while"
                                    + " it is rewritten: a crash of the host then loses the leases of half a minute or so"
                                    + NOTICED + " -> no-appendfsync-on-rewrite no");
            server.ask("CONFIG", "SET", "appendfsync", "everysec");
            assertThat(line(store, "durability"))
                    .isEqualTo("OK durability: an append-only file, synced each second: a crash of the host loses the"
                            + " leases of up to two seconds" + NOTICED);
            server.ask("CONFIG", "SET", "appendfsync", "no");
            assertThat(line(store, "durability"))
                    .isEqualTo(
                            "WARNING durability: an append-only file that is synced when the system likes (appendfsync"
                                    + " no): a crash of the host loses the leases of half a minute or so" + NOTICED
                                    + " -> appendfsync always, or everysec");
            server.ask("CONFIG", "SET", "appendonly", "no");
            server.ask("CONFIG", "SET", "save", "3600 1");
            assertThat(line(store, "durability"))
                    .isEqualTo(
                            "WARNING durability: no append-only file, snapshots (save 3600 1): a crash loses all leases"
                                    + " since the last snapshot, if there is one" + NOTICED
                                    + " -> appendonly yes, and appendfsync always");
        }
    }

    @Test
    void aSnapshotThatFailsStopsAllWrites() throws Exception {
        try (RedisServer server = new RedisServer(folder);
                RedisStore store = Stores.open(server.uri(), "snapshot")) {
            assertThat(store.view().record()).isNull();
            // Nothing can be renamed to a folder that holds something.
            Files.createDirectories(folder.resolve("dump.rdb").resolve("x"));
            server.ask("CONFIG", "SET", "save", "3600 1");
            server.ask("BGSAVE");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> server.info("rdb_last_bgsave_status").equals("err"));

            assertThat(line(store, "durability"))
                    .isEqualTo("FAILURE durability: the last snapshot failed: it refuses all writes (MISCONF) until one"
                            + " succeeds -> put its disk, or its memory for the fork, right: its log says what is wrong;"
                            + " then BGSAVE");
            try (RedisStore late = Stores.open(server.uri(), "snapshot")) {
                // A new connection begins with PING, which is refused too.
                assertThat(lines(late))
                        .singleElement()
                        .asString()
                        .startsWith("FAILURE servers: Redis at 127.0.0.1:" + server.port
                                + " refused what was sent while looking at the registry: MISCONF ")
                        .endsWith("; put its disk right: it can't save, and takes no writes");
            }
            server.ask("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
            assertThat(line(store, "durability"))
                    .startsWith("WARNING durability: no append-only file, snapshots (save 3600 1): ");
        }
    }

    @Test
    void whatEvictionWouldLose() throws Exception {
        try (RedisServer server = new RedisServer(folder, "maxmemory 100mb");
                RedisStore store = Stores.open(server.uri(), "memory")) {
            assertThat(line(store, "memory"))
                    .matches(
                            "OK memory: maxmemory-policy noeviction, \\d+ % of maxmemory used: when it is full, no lease is"
                                    + " granted or renewed; none is lost, as what decides has no TTL");
            server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            assertThat(line(store, "memory"))
                    .matches(
                            "WARNING memory: maxmemory-policy allkeys-lru, \\d+ % of maxmemory used: when it is full, the"
                                    + " hash with the registry and all leases may be evicted"
                                    + NOTICED.replace("+", "\\+")
                                    + " -> maxmemory-policy noeviction, or a Redis of their own for leases");
        }
    }

    @Test
    void whatAFailoverWouldLose() throws Exception {
        try (RedisServer primary = new RedisServer(folder.resolve("p"), "repl-diskless-sync-delay 0");
                RedisStore before = Stores.open(primary.uri(), "before")) {
            makeRegistry(before, 0, 7);
            try (RedisServer replica = new RedisServer(folder.resolve("r"), "replicaof 127.0.0.1 " + primary.port);
                    RedisStore store = Stores.open(primary.uri(), "after");
                    RedisStore unwaited = Stores.open(primary.uri() + "?replicas=0", "after")) {
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> primary.info("slave0").matches(".*state=online.*lag=[01]$"));
                makeRegistry(store, 0, 7);

                assertThat(line(store, "replicas")).isEqualTo("OK replicas: 1 follow; a lease counts once 1 have it");
                assertThat(line(unwaited, "replicas"))
                        .isEqualTo(
                                "WARNING replicas: 1 follow, and none is waited for (?replicas=0): a failover loses the"
                                        + " leases of the last moments" + NOTICED + " -> leave ?replicas=0 out");
                assertThat(line(before, "replicas"))
                        .startsWith(
                                "WARNING replicas: 1 follow, but the registry was made when there were none, with L ="
                                        + " 0");
                assertThat(line(store, "min-replicas"))
                        .isEqualTo("WARNING min-replicas: min-replicas-to-write 0: a primary that is cut off from its"
                                + " replicas goes on accepting writes; leases don't count there, but what others write is"
                                + " lost -> min-replicas-to-write 1");
                primary.ask("CONFIG", "SET", "min-replicas-to-write", "1");
                assertThat(line(store, "min-replicas"))
                        .isEqualTo(
                                "OK min-replicas: min-replicas-to-write 1, min-replicas-max-lag 10: a primary that is cut"
                                        + " off stops within that many seconds; one that was frozen does not, WAIT sees to"
                                        + " it");
                primary.ask("CONFIG", "SET", "min-replicas-max-lag", "45");
                assertThat(line(store, "min-replicas"))
                        .isEqualTo(
                                "WARNING min-replicas: min-replicas-to-write 1, min-replicas-max-lag 45: a primary that is"
                                        + " cut off goes on accepting writes for 45000 ms, longer than the registry's L of"
                                        + " 30000 ms allows for; with ?replicas=0 its leases would count"
                                        + " -> min-replicas-max-lag 30");
                primary.ask("CONFIG", "SET", "min-replicas-max-lag", "0");
                assertThat(line(store, "min-replicas"))
                        .isEqualTo(
                                "WARNING min-replicas: min-replicas-to-write 1, switched off by min-replicas-max-lag 0:"
                                        + " a primary that is cut off from its replicas goes on accepting writes; leases don't"
                                        + " count there, but what others write is lost -> min-replicas-to-write 1,"
                                        + " min-replicas-max-lag 10");
                primary.ask("CONFIG", "SET", "min-replicas-max-lag", "10");
                replica.kill();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> primary.info("connected_slaves").equals("0"));
                assertThat(line(store, "replicas"))
                        .isEqualTo("FAILURE replicas: 0 of 1 replicas follow: no lease is granted or renewed until 1"
                                + " acknowledge it -> bring them back, or say how many there are by ?replicas=N in the"
                                + " URI");
                assertThat(line(store, "min-replicas"))
                        .isEqualTo("FAILURE min-replicas: min-replicas-to-write 1, and 0 follow: it refuses all writes"
                                + " (NOREPLICAS) -> bring the replicas back, or lower it");
            }
        }
    }

    @Test
    void settingsThatMayNotBeSeenAreSaidToBe() throws Exception {
        try (RedisServer server = new RedisServer(folder, "appendonly yes")) {
            server.ask("ACL", "SETUSER", "narrow", "on", ">secret", "~*", "+@all", "-config");
            try (RedisStore store = Stores.open("redis://narrow:secret@127.0.0.1:" + server.port, "narrow")) {
                assertThat(line(store, "durability"))
                        .isEqualTo(
                                "WARNING durability: an append-only file; how often it is synced can't be seen (CONFIG"
                                        + " GET) -> let this user see it: ACL SETUSER … +config|get");
            }
        }
    }

    @Test
    void aServerThatIsAwayIsAFinding() throws Exception {
        int port = RedisServer.freePort();
        try (RedisStore store =
                Stores.open("redis://127.0.0.1:" + port, "away", Stores.options(Duration.ofMillis(300)))) {
            assertThat(store.findings())
                    .singleElement()
                    .matches(finding -> finding.level() == Finding.Level.FAILURE)
                    .matches(finding -> finding.found()
                            .startsWith("no connection to Redis at 127.0.0.1:" + port + " within 300 ms"));
        }
    }
}
