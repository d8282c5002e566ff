package io.snowlease.registry.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.registry.RegistryException;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts that may take as long as a few round trips, more or less. */
class GivenUpStartTest {
    private static final int TRIES = 200;

    @Test
    void aStartThatIsGivenUpLeavesNoWorkerIdHeld(@TempDir Path folder) throws Exception {
        try (RedisServer server = new RedisServer(folder);
                Nodes nodes = new Nodes(server.uri()).init(Duration.ofMinutes(2), Duration.ofSeconds(1), 7);
                RedisStore store = Stores.open(server.uri(), nodes.namespace)) {
            int givenUp = 0;
            for (int i = 0; i < TRIES; i++) {
                Duration timeout = Duration.ofMillis(1 + i % 11);
                try (WorkerRegistry registry =
                        nodes.builder("n" + i).startTimeout(timeout).connect()) {
                    registry.newGenerator().close();
                } catch (RegistryException e) {
                    givenUp++;
                }
                assertThat(store.list())
                        .as("start %d, within %s", i, timeout)
                        .extracting(SlotRecord::state)
                        .doesNotContain(SlotState.HELD);
            }
            assertThat(givenUp).isPositive();
        }
    }
}
