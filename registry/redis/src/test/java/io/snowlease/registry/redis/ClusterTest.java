package io.snowlease.registry.redis;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static io.snowlease.registry.contract.StoreSamples.recordOf;
import static io.snowlease.registry.contract.StoreSamples.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.cluster.SlotHash;
import io.snowlease.registry.contract.LeaseStoreContract;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Three primaries: each namespace lives on one of them, and may be moved to another. */
@TestInstance(Lifecycle.PER_CLASS)
class ClusterTest extends LeaseStoreContract {
    private final List<RedisServer> servers = new ArrayList<>();
    private String uri;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        List<String> command = new ArrayList<>(List.of("--cluster", "create"));
        for (int i = 0; i < 3; i++) {
            RedisServer server = new RedisServer(folder.resolve("" + i), "cluster-enabled yes");
            servers.add(server);
            command.add("127.0.0.1:" + server.port);
        }
        command.add("--cluster-yes");
        String made = RedisServer.cli(command);
        assertThat(made).contains("[OK] All 16384 slots covered");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> servers.stream()
                        .allMatch(server -> server.ask("CLUSTER", "INFO").contains("cluster_state:ok")));
        uri = "redis-cluster://127.0.0.1:" + servers.get(0).port + ",127.0.0.1:" + servers.get(1).port;
    }

    @AfterAll
    void stop() {
        servers.forEach(RedisServer::close);
    }

    @Override
    protected LeaseStore open(String namespace) {
        return Stores.open(uri, namespace);
    }

    private RedisServer ownerOf(int slot) {
        for (RedisServer server : servers) {
            for (String line : server.ask("CLUSTER", "NODES").lines().toList()) {
                List<String> fields = List.of(line.split(" ", -1));
                if (fields.get(2).startsWith("myself") && covers(fields.subList(8, fields.size()), slot)) {
                    return server;
                }
            }
        }
        throw new AssertionError("nobody has slot " + slot);
    }

    private static boolean covers(List<String> ranges, int slot) {
        return ranges.stream().filter(range -> !range.startsWith("[")).anyMatch(range -> {
            List<String> ends = List.of(range.split("-", -1));
            return Integer.parseInt(ends.get(0)) <= slot && slot <= Integer.parseInt(ends.get(ends.size() - 1));
        });
    }

    /** The new server has all records, but another identity: a move counts as a failover. */
    @Test
    void aNamespaceThatIsMovedIsFoundAtItsNewServerAndWaits() {
        String namespace = "moved-" + UUID.randomUUID();
        String hash = RedisKeys.of(namespace).hash();
        int slot = SlotHash.getSlot(hash);
        RedisServer from = ownerOf(slot);
        RedisServer to = servers.get((servers.indexOf(from) + 1) % servers.size());
        try (RedisStore moving = Stores.open(uri, namespace);
                RedisStore impatient = Stores.open(uri, namespace, Stores.options(Duration.ofSeconds(5)))) {
            RegistryView view = makeRegistry(moving, 0, 7);
            StoredSlot held = claimNew(moving, view, "a", T);
            RegistryView seen = impatient.view();
            String number = String.valueOf(slot);
            to.ask("CLUSTER", "SETSLOT", number, "IMPORTING", from.ask("CLUSTER", "MYID"));
            from.ask("CLUSTER", "SETSLOT", number, "MIGRATING", to.ask("CLUSTER", "MYID"));
            from.ask("MIGRATE", "127.0.0.1", String.valueOf(to.port), hash, "0", "5000");
            // Half of it is here, half is there: TRYAGAIN or ASK.
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(impatient::view)
                    .withMessageMatching(
                            "no use of Redis at cluster [0-9.:,]+ within 5000 ms while looking at the registry:"
                                    + " the namespace's hash slot is being moved to another server: finish that, see redis-cli"
                                    + " --cluster check \\((ASK|TRYAGAIN)\\)");
            for (String key :
                    from.ask("CLUSTER", "GETKEYSINSLOT", number, "100").lines().toList()) {
                from.ask("MIGRATE", "127.0.0.1", String.valueOf(to.port), key, "0", "5000");
            }
            for (RedisServer server : List.of(to, from, servers.get(3 - servers.indexOf(from) - servers.indexOf(to)))) {
                server.ask("CLUSTER", "SETSLOT", number, "NODE", to.ask("CLUSTER", "MYID"));
            }

            RegistryView after = moving.view();

            assertThat(after.record()).isEqualTo(view.record());
            assertThat(after.serverIdentity()).isNotEqualTo(view.serverIdentity());
            assertThat(impatient.view().serverIdentity()).isEqualTo(after.serverIdentity());
            assertThat(moving.read(held.worker()).record()).isEqualTo(held.record());
            assertThat(impatient.write(seen, held, renewed(recordOf(held), T + 1), Long.MAX_VALUE))
                    .isEqualTo(WriteResult.REGISTRY_CHANGED);
        }
    }

    /** As the README says of Cluster. */
    @Test
    void aUserNeedsTheClustersMapToo() {
        List<String> user = List.of(
                ("ACL SETUSER narrow on >secret ~snowlease:* resetchannels +eval +evalsha +info +time +hget +hset +hdel"
                                + " +hexists +hlen +hkeys +hgetall +hscan +zadd +zrem +zrange +zcard +get +set +del +pexpire +wait"
                                + " +cluster|nodes +client|list")
                        .split(" ", -1));
        servers.forEach(
                server -> assertThat(server.ask(user.toArray(new String[0]))).isEqualTo("OK"));
        String narrow = uri.replace("redis-cluster://", "redis-cluster://narrow:secret@");
        try (RedisStore store = Stores.open(narrow, "narrow", Stores.PATIENT)) {
            RegistryView view = makeRegistry(store, 0, 7);
            assertThat(claimNew(store, view, "a", T).record()).isNotNull();
        }
    }

    @Test
    void aPlainUriIsToldThatItIsACluster() {
        String namespace = "plain";
        RedisServer owner = ownerOf(SlotHash.getSlot(RedisKeys.of(namespace).hash()));
        RedisServer other = servers.get((servers.indexOf(owner) + 1) % servers.size());
        try (RedisStore store = Stores.open(other.uri(), namespace, Stores.options(Duration.ofSeconds(4)))) {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(store::view)
                    .withMessage("no use of Redis at 127.0.0.1:" + other.port + " within 4000 ms while looking at the"
                            + " registry: it is one of a cluster; use redis-cluster:// (MOVED)");
        }
    }
}
