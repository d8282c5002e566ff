package io.snowlease.registry.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All worker ids of a layout wanted at the same moment, each by a node of its own. */
class ManyClaimsTest {
    private static final int ALL = 1024;

    @Test
    void thousandTwentyFourClaimsAtOnceAreAllDistinctAndNoneIsLost(@TempDir Path folder) throws Exception {
        try (RedisServer server = new RedisServer(folder);
                Nodes nodes = new Nodes(server.uri()).init(Duration.ofMinutes(10), Duration.ofSeconds(5), ALL - 1)) {
            ConcurrentLinkedQueue<WorkerRegistry> open = new ConcurrentLinkedQueue<>();
            try {
                List<Integer> workers = Nodes.together(ALL, thread -> {
                    WorkerRegistry registry = nodes.builder("node-" + thread).connect();
                    open.add(registry);
                    return registry.newGenerator().workerId();
                });

                assertThat(workers).doesNotHaveDuplicates().hasSize(ALL);
                try (RedisStore store = Stores.open(server.uri(), nodes.namespace)) {
                    assertThat(store.list())
                            .hasSize(ALL)
                            .allMatch(slot -> slot.state() == SlotState.HELD)
                            .allMatch(slot -> slot.worker() == workers.get(threadOf(slot.node())))
                            .extracting(SlotRecord::node)
                            .doesNotHaveDuplicates();
                    assertThat(store.bounds(2 * ALL)).hasSize(ALL);
                }
                assertThat(server.ask("KEYS", "snowlease:{" + nodes.namespace + "}:lease:*")
                                .lines())
                        .hasSize(ALL);
                assertThat(server.ask("ZCARD", "snowlease:{" + nodes.namespace + "}:offers"))
                        .isEqualTo("0");
            } finally {
                open.forEach(WorkerRegistry::close);
            }
        }
    }

    private static int threadOf(String node) {
        return Integer.parseInt(node.substring("node-".length()));
    }
}
