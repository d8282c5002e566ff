package io.snowlease.registry.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.snowlease.registry.LeaseState;
import io.snowlease.registry.NotGrantableYetException;
import io.snowlease.registry.protocol.RegistryRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A primary with two replicas, and three sentinels that promote one of them. */
class SentinelTest {
    private static final Duration D = Duration.ofMinutes(2);
    private static final Duration S = Duration.ofSeconds(1);

    private final List<RedisServer> all = new ArrayList<>();

    @AfterEach
    void stop() {
        Collections.reverse(all);
        all.forEach(RedisServer::close);
    }

    private RedisServer add(RedisServer server) {
        all.add(server);
        return server;
    }

    @Test
    void afterASentinelsFailoverHoldersGoOnAndNewLeasesWait(@TempDir Path folder) throws Exception {
        RedisServer primary = add(new RedisServer(folder.resolve("0"), "repl-diskless-sync-delay 0"));
        List<Integer> sentinels = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            add(new RedisServer(folder.resolve("" + i), "replicaof 127.0.0.1 " + primary.port));
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> primary.info("slave1").contains("state=online"));
        for (int i = 3; i <= 5; i++) {
            RedisServer sentinel = add(new RedisServer(
                    folder.resolve("" + i),
                    RedisServer.freePort(),
                    List.of("--sentinel"),
                    "sentinel monitor orders-primary 127.0.0.1 " + primary.port + " 2",
                    "sentinel down-after-milliseconds orders-primary 2000",
                    "sentinel failover-timeout orders-primary 10000"));
            sentinels.add(sentinel.port);
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> all.get(5)
                        .ask("SENTINEL", "MASTER", "orders-primary")
                        .matches("(?s).*num-slaves\\R2\\R.*num-other-sentinels\\R2\\R.*"));
        String uri = "redis-sentinel://"
                + String.join(
                        ",", sentinels.stream().map(port -> "127.0.0.1:" + port).toList()) + "#orders-primary";

        try (Nodes nodes = new Nodes(uri).init(D, S, 7)) {
            Nodes.Node holder = nodes.start("a");
            RegistryRecord before = nodes.registry();
            assertThat(before.lagMillis()).isEqualTo(30_000);
            long bound = holder.lease().untilMillis();
            int worker = holder.lease().worker();
            primary.kill();

            RegistryRecord after = awaitOtherServer(nodes, before);
            assertThat(after.registryId()).isEqualTo(before.registryId());
            assertThat(after.quarantineUntil()).isGreaterThan(bound);
            assertThat(holder.ids().nextId()).isPositive();
            await().atMost(D)
                    .until(() -> holder.lease().untilMillis() > bound
                            && holder.lease().state() == LeaseState.HELD);
            assertThat(holder.lease().worker()).isEqualTo(worker);
        }
    }

    private static RegistryRecord awaitOtherServer(Nodes nodes, RegistryRecord before) {
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThatExceptionOfType(NotGrantableYetException.class)
                        .isThrownBy(() -> nodes.start(nodes.builder("b").startTimeout(Duration.ofSeconds(1))))
                        .withMessageStartingWith("registry in quarantine until "));
        RegistryRecord after = nodes.registry();
        assertThat(after.serverIdentity()).isNotEqualTo(before.serverIdentity());
        return after;
    }
}
