package io.snowlease.registry.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoopGroup;
import io.snowlease.registry.CoordinatorUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start that is given up, because it is slow, leaves nothing behind that the next ones stumble over. */
class GivenUpConnectTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** netty #17039: a look-up that was under way when its threads ended kept its name for ever. */
    @Test
    void aNameWhoseLookUpWasGivenUpIsLookedUpAgainByTheNextStart(@TempDir Path folder) throws Exception {
        try (RedisServer server = new RedisServer(folder);
                NameServer silent = new NameServer(true);
                NameServer answering = new NameServer(false);
                Nodes nodes = new Nodes("redis://127.0.0.1:" + server.port)) {
            String byName = "redis://primary.snowlease.test:" + server.port;
            ClientResources first = SharedResources.acquire(silent.provider());
            EventLoopGroup threads = first.eventLoopGroupProvider().allocate(Transports.eventLoopGroupClass());
            try {
                nodes.init(Duration.ofSeconds(10), Duration.ofSeconds(1), 7);
                await("a look-up that is given up").atMost(LONG).until(() -> {
                    assertThatExceptionOfType(CoordinatorUnavailableException.class)
                            .isThrownBy(() -> nodes.at(byName)
                                    .builder("a")
                                    .startTimeout(Duration.ofMillis(200))
                                    .connect());
                    return silent.asked() > 0;
                });
            } finally {
                var unused = first.eventLoopGroupProvider().release(threads, 0, 0, TimeUnit.SECONDS);
                SharedResources.release();
            }
            await("threads of the start that was given up").atMost(LONG).until(threads::isTerminated);

            ClientResources second = SharedResources.acquire(answering.provider());
            try (Nodes others = nodes.at(byName)) {
                assertThat(second).isNotSameAs(first);
                assertThat(others.start("b").ids().nextId()).isPositive();
                assertThat(answering.asked()).isPositive();
            } finally {
                SharedResources.release();
            }
        }
    }
}
