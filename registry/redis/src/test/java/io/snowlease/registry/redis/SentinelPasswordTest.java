package io.snowlease.registry.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.snowlease.registry.CoordinatorAccessException;
import io.snowlease.registry.spi.StoreCredentials;
import io.snowlease.registry.testing.Logs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A primary and a sentinel, each with a password of its own. */
@TestInstance(Lifecycle.PER_CLASS)
class SentinelPasswordTest {
    private static final String SERVERS = "secret-of-the-servers";
    private static final String SENTINELS = "secret-of-the-sentinels";

    private RedisServer primary;
    private RedisServer sentinel;
    private String uri;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        primary = new RedisServer(folder.resolve("p"), "requirepass " + SERVERS);
        sentinel = new RedisServer(
                folder.resolve("s"),
                RedisServer.freePort(),
                List.of("--sentinel"),
                "requirepass " + SENTINELS,
                "sentinel monitor orders-primary 127.0.0.1 " + primary.port + " 1",
                "sentinel auth-pass orders-primary " + SERVERS);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> sentinel.ask("-a", SENTINELS, "SENTINEL", "MASTER", "orders-primary")
                        .matches("(?s).*flags\\Rmaster\\R.*"));
        uri = "redis-sentinel://127.0.0.1:" + sentinel.port + "?replicas=0#orders-primary";
    }

    @AfterAll
    void stop() {
        sentinel.close();
        primary.close();
    }

    private Nodes nodes(String forServers, String forSentinels) {
        return new Nodes(uri)
                .with(builder -> builder.credentials("default", forServers)
                        .sentinelCredentials(
                                forSentinels.isEmpty() ? null : StoreCredentials.of("default", forSentinels)));
    }

    private String at() {
        return "Redis at sentinels 127.0.0.1:" + sentinel.port + "#orders-primary";
    }

    @Test
    void eachIsGivenItsOwnAndNoLogShowsAny() {
        try (Logs logs = new Logs("io.lettuce", Level.DEBUG);
                Logs netty = new Logs("io.netty", Level.DEBUG);
                Logs own = new Logs("io.snowlease", Level.DEBUG);
                Nodes nodes = nodes(SERVERS, SENTINELS).init(Duration.ofMinutes(2), Duration.ofSeconds(5), 7)) {
            assertThat(nodes.start("a").ids().nextId()).isPositive();

            assertThat(logs.texts()).isNotEmpty();
            for (Logs all : List.of(logs, netty, own)) {
                assertThat(all.texts())
                        .noneMatch(text -> text.contains(SERVERS))
                        .noneMatch(text -> text.contains(SENTINELS));
            }
        }
    }

    @Test
    void aSentinelThatAsksForAPasswordEndsAStartAtOnce() {
        try (Nodes nodes = nodes(SERVERS, "")) {
            assertThatExceptionOfType(CoordinatorAccessException.class)
                    .isThrownBy(() -> nodes.start("a"))
                    .withMessage(at() + ": a sentinel asks for a password (NOAUTH) while looking at the registry: give"
                            + " user and password for sentinels, by sentinelCredentials(…), by"
                            + " SNOWLEASE_REDIS_SENTINEL_AUTH or by --redis-sentinel-auth-file; those for the servers are"
                            + " not sent to them");
        }
    }

    @Test
    void aWrongPasswordForASentinelEndsAStartAtOnceAndIsNowhere() {
        try (Nodes nodes = nodes(SERVERS, "not-the-secret")) {
            assertThatExceptionOfType(CoordinatorAccessException.class)
                    .isThrownBy(() -> nodes.start("a"))
                    .withMessage(at() + ": a sentinel does not accept the password of user 'default' (WRONGPASS) while"
                            + " looking at the registry: correct it; with requirepass alone the user is called default")
                    .satisfies(e -> assertThat(Logs.trace(e)).doesNotContain("not-the-secret"));
        }
    }

    @Test
    void aWrongPasswordForTheServersIsToldFromASentinels() {
        try (Nodes nodes = nodes("not-the-secret", SENTINELS)) {
            assertThatExceptionOfType(CoordinatorAccessException.class)
                    .isThrownBy(() -> nodes.start("a"))
                    .withMessage(at() + " does not accept the password of user 'default' (WRONGPASS) while looking at"
                            + " the registry: correct it; with requirepass alone the user is called default");
        }
    }

    @Test
    void thereMustBeSentinelsToGiveItTo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Nodes("redis://127.0.0.1:1")
                        .with(builder -> builder.sentinelCredentials(StoreCredentials.of("default", SENTINELS)))
                        .start("a"))
                .withMessage(
                        "must be redis-sentinel:// where there are credentials for sentinels: Redis at 127.0.0.1:1");
    }
}
