package io.snowlease.registry.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.protocol.RegistrySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose first answer takes seconds: its time in it says nothing, that in the next may. */
class SlowAnswerTest {
    @Test
    void initAsksAgainWhenTheFirstAnswerTookLongerThanTheSkewThatIsTolerated(@TempDir Path folder) throws Exception {
        RegistrySettings settings = new RegistrySettings(null, Duration.ofSeconds(60), Duration.ofMillis(500), null);
        try (RedisServer server = new RedisServer(folder);
                Nodes nodes = new Nodes("traced://127.0.0.1:" + server.port);
                RegistryAdmin admin = nodes.builder("operator").openAdmin()) {
            List<String> roundTrips = TracedProvider.roundTrips(nodes.namespace);
            assertThat(admin.registry()).isEmpty();
            roundTrips.clear();
            server.ask("CLIENT", "PAUSE", "5000", "ALL");

            assertThat(admin.init(settings, true, 0)).isEqualTo(nodes.registry());

            assertThat(roundTrips).startsWith("view", "view").contains("create");
        }
    }
}
