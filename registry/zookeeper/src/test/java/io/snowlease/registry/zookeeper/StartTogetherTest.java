package io.snowlease.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.registry.zookeeper.Nodes.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that claim at the same moment, each with a connection and a keeper of its own, on one real server. */
@TestInstance(Lifecycle.PER_CLASS)
class StartTogetherTest {
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration SKEW = Duration.ofSeconds(5);

    private EmbeddedServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = Servers.start(folder);
    }

    @AfterAll
    void stop() throws Exception {
        server.stop();
    }

    /** Leaf PR #108: worker ids 0 and 1, never 0 and 0. */
    @RepeatedTest(20)
    void twoNodesOfANeverUsedNamespaceGetZeroAndOne() throws Exception {
        try (Nodes nodes = new Nodes(server.port()).init(LEASE, SKEW, 0, 1023)) {
            assertDistinct(2, startTogether(nodes, 2, "node-"));
        }
    }

    /** Leaf PR #108, with the registry made by whichever node is first; it waits for the quarantine to pass. */
    @Test
    void twoNodesOnAnEmptyCoordinatorGetZeroAndOne() throws Exception {
        // Three pairs at once: each waits for a quarantine as long as its leases, and those outlast a slow machine.
        try (Nodes one = new Nodes(server.port());
                Nodes two = new Nodes(server.port());
                Nodes three = new Nodes(server.port())) {
            List<Nodes> pairs = List.of(one, two, three);
            List<Node> started = Nodes.together(6, i -> startFirst(pairs.get(i / 2), "node-" + i));
            for (int pair = 0; pair < 3; pair++) {
                assertDistinct(2, started.subList(2 * pair, 2 * pair + 2));
            }
        }
    }

    /** Leaf PR #108. */
    @RepeatedTest(3)
    void sixteenNodesGetTheFirstSixteen() throws Exception {
        try (Nodes nodes = new Nodes(server.port()).init(LEASE, SKEW, 0, 1023)) {
            assertDistinct(16, startTogether(nodes, 16, "node-"));
        }
    }

    /** Leaf PR #108. */
    @Test
    void sixteenNodesOnAnEmptyCoordinatorGetTheFirstSixteen() throws Exception {
        try (Nodes nodes = new Nodes(server.port())) {
            assertDistinct(16, Nodes.together(16, i -> startFirst(nodes, "node-" + i)));
        }
    }

    /** CosId #771: two hosts whose names, IPs and pids are equal; and again, when both slots are there to be found. */
    @Test
    void nodesOfOneNameGetDifferentWorkerIds() throws Exception {
        try (Nodes nodes = new Nodes(server.port()).init(LEASE, SKEW, 0, 1023)) {
            assertDistinct(2, Nodes.together(2, i -> nodes.start("same")));
            nodes.stopAll();
            assertDistinct(2, Nodes.together(2, i -> nodes.start("same")));
        }
    }

    @Test
    void twoHundredNodesAllGetAWorkerIdOfTheirOwn() throws Exception {
        try (Nodes nodes = new Nodes(server.port()).init(LEASE, SKEW, 0, 1023)) {
            assertDistinct(200, startTogether(nodes, 200, "node-"));
        }
    }

    @Test
    void twoHundredNewNodesReuseWhatTwoHundredHaveGivenBack() throws Exception {
        try (Nodes nodes = new Nodes(server.port()).init(LEASE, SKEW, 0, 255)) {
            startTogether(nodes, 200, "old-");
            nodes.stopAll();
            List<Node> started = startTogether(nodes, 200, "new-");

            assertThat(started).extracting(Node::worker).doesNotHaveDuplicates().allMatch(w -> w < 256);
            assertNoDuplicates(started);
        }
    }

    /** As many nodes as worker ids: the last one has to find the last one. */
    @Test
    void twoHundredNewNodesFindEachOfTwoHundredWorkerIds() throws Exception {
        try (Nodes nodes = new Nodes(server.port()).init(LEASE, SKEW, 0, 199)) {
            startTogether(nodes, 200, "old-");
            nodes.stopAll();

            assertDistinct(200, startTogether(nodes, 200, "new-"));
        }
    }

    private static Node startFirst(Nodes nodes, String node) {
        return nodes.start(
                nodes.builder(node).leaseDuration(Duration.ofSeconds(15)).maxSkew(Duration.ofMillis(500)));
    }

    private static List<Node> startTogether(Nodes nodes, int count, String prefix) throws Exception {
        long[] millis = new long[count];
        List<Node> started = Nodes.together(count, i -> {
            long begin = System.nanoTime();
            Node node = nodes.start(prefix + i);
            millis[i] = (System.nanoTime() - begin) / 1_000_000;
            return node;
        });
        Arrays.sort(millis);
        System.out.printf(
                "%d nodes (%s) claimed at once: median %d ms, last %d ms%n",
                count, prefix, millis[count / 2], millis[count - 1]);
        return started;
    }

    private static void assertDistinct(int count, List<Node> nodes) {
        List<Integer> expected = IntStream.range(0, count).boxed().toList();
        assertThat(nodes).extracting(Node::worker).containsExactlyInAnyOrderElementsOf(expected);
        assertNoDuplicates(nodes);
    }

    private static void assertNoDuplicates(List<Node> nodes) {
        List<long[]> batches = new ArrayList<>();
        for (Node node : nodes) {
            long[] ids = new long[100];
            node.ids().nextIds(ids);
            batches.add(ids);
        }
        assertThat(batches.stream().flatMapToLong(LongStream::of).distinct().count())
                .isEqualTo(100L * nodes.size());
    }
}
