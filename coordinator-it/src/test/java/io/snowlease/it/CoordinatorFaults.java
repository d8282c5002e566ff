package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Servers of a coordinator are killed, lose their data, or are replaced. The stage starts them again. */
final class CoordinatorFaults {
    private CoordinatorFaults() {}

    /** They are looked for again after longer than a lease: by then each node has another one, and has renewed in it. */
    static void expire(Stage stage) {
        Set<Long> before = ZooKeeperSessions.of(stage.topology());
        assertThat(before).as("sessions").hasSizeGreaterThanOrEqualTo(2);
        before.forEach(session -> ZooKeeperSessions.expire(stage.topology(), session));
        Trial.last(Trial.LEASE.plus(Trial.SKEW));
        Set<Long> after = ZooKeeperSessions.of(stage.topology());
        assertThat(after).as("sessions").hasSizeGreaterThanOrEqualTo(2).doesNotContainAnyElementsOf(before);
    }

    static void killTheLeader(Stage stage) {
        Topology topology = stage.topology();
        topology.kill(oneOf(topology, i -> topology.ask(i, "srvr").contains("Mode: leader")));
    }

    static void killTheMajority(Stage stage) {
        stage.topology().kill(0);
        stage.topology().kill(1);
        stage.first().awaitRefusal(NodeFaults.AT_THE_BOUND);
    }

    static void kill(Stage stage) {
        stage.topology().down();
    }

    /**
     * A node is cut off, and goes on with a lease that the coordinator has lost, while another one starts there. What has
     * no data on disk has nothing to remove.
     */
    static void loseAllData(Stage stage) {
        stage.topology().down();
        stage.topology().box().run("sh", "-c", "rm -rf /box/1/data");
        try {
            stage.first().box().cut(stage.topology().box(), Box.Way.BOTH);
            stage.topology().up();
            stage.lateNode().awaitIdsOrRefusal("quarantine");
            stage.toFirst().awaitIds(100);
        } finally {
            stage.first().box().join();
        }
    }

    static void flush(Stage stage) {
        assertThat(stage.topology().askRedis(0, "FLUSHALL")).startsWith("+OK");
    }

    static void killThePrimary(Stage stage) {
        int primary = primary(stage);
        stage.topology().kill(primary);
        awaitPromotion(stage, primary);
    }

    /** What a node was granted meanwhile, the replicas have not seen. */
    static void promoteWhatLags(Stage stage) {
        Topology topology = stage.topology();
        int primary = primary(stage);
        IntStream.range(0, 3).filter(i -> i != primary).forEach(i -> topology.signal(i, "STOP"));
        stage.first().awaitRefusal(NodeFaults.AT_THE_BOUND);
        topology.kill(primary);
        IntStream.range(0, 3).filter(i -> i != primary).forEach(i -> topology.signal(i, "CONT"));
        awaitPromotion(stage, primary);
    }

    private static void awaitPromotion(Stage stage, int before) {
        await("promotion")
                .atMost(Program.PATIENCE)
                .until(() ->
                        IntStream.range(0, stage.topology().size()).anyMatch(i -> i != before && isPrimary(stage, i)));
    }

    private static int primary(Stage stage) {
        return oneOf(stage.topology(), i -> isPrimary(stage, i));
    }

    /** Of the namespace's keys; a sentinel holds none, and a replica in a cluster sends who asks elsewhere. */
    private static boolean isPrimary(Stage stage, int server) {
        String key = "snowlease:{" + stage.trial().namespace() + "}";
        return stage.topology().askRedis(server, "ROLE").contains("master")
                && stage.topology().askRedis(server, "HLEN " + key).startsWith(":");
    }

    private static int oneOf(Topology topology, IntPredicate is) {
        return IntStream.range(0, topology.size()).filter(is).findFirst().orElseThrow();
    }
}
