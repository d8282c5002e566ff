package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.snowlease.admin.e2e.Traffic;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Servers of a coordinator are killed, lose their data, or are replaced, while nodes serve and another one starts. */
class CoordinatorFaultsIT {
    private static final String AT_THE_BOUND = "timestamps must be below until=";

    /** Bounds outlast the restart, so that new leases come while old ones that the coordinator has lost are in use. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(20);

    /** What happens to a coordinator while a node serves from a namespace of it. */
    private interface Fault {
        void happen(Topology topology, ContainerNode node, String namespace);
    }

    @Test
    void aZooKeeperExpiresTheSessionsOfItsNodes() {
        tryOut("sessions expired", "zookeeper", CoordinatorFaultsIT::expireSessions);
    }

    @Test
    void aZooKeeperEnsembleExpiresTheSessionsOfItsNodes() {
        tryOut("sessions expired", "zookeeper-ensemble", CoordinatorFaultsIT::expireSessions);
    }

    @Test
    void aZooKeeperEnsembleLosesItsLeader() {
        tryOut("leader killed", "zookeeper-ensemble", (topology, node, namespace) -> {
            int leader = IntStream.range(0, topology.size())
                    .filter(i -> topology.ask(i, "srvr").contains("Mode: leader"))
                    .findFirst()
                    .orElseThrow();
            topology.kill(leader);
        });
    }

    @Test
    void aZooKeeperEnsembleLosesItsMajority() {
        tryOut("majority killed", "zookeeper-ensemble", (topology, node, namespace) -> {
            topology.kill(0);
            topology.kill(1);
            node.awaitRefusal(AT_THE_BOUND);
        });
    }

    @Test
    void aZooKeeperComesBackEmpty() {
        tryOut("restarted empty", "zookeeper", LONG_LEASE, (topology, node, namespace) -> {
            topology.down();
            topology.box().run("sh", "-c", "rm -r /box/1/data");
        });
    }

    @Test
    void aRedisComesBackWithItsData() {
        tryOut("killed, restarted with its data", "redis-aof-always", (topology, node, namespace) -> topology.down());
    }

    @Test
    void aRedisComesBackEmpty() {
        tryOut(
                "killed, restarted without data",
                "redis-memory",
                LONG_LEASE,
                (topology, node, namespace) -> topology.down());
    }

    @Test
    void aRedisIsFlushed() {
        tryOut("FLUSHALL", "redis-aof-always", (topology, node, namespace) -> topology.askRedis(0, "FLUSHALL"));
    }

    @Test
    void sentinelsPromoteAReplica() {
        tryOut(
                "primary killed, a replica promoted",
                "redis-sentinel",
                (topology, node, namespace) -> failOver(topology));
    }

    /** What a node was granted meanwhile, the replicas have not seen. */
    @Test
    void sentinelsPromoteAReplicaThatLags() {
        tryOut("replicas that lag, one promoted", "redis-sentinel", (topology, node, namespace) -> {
            int primary = primary(topology);
            IntStream.range(0, 3).filter(i -> i != primary).forEach(i -> topology.signal(i, "STOP"));
            node.awaitRefusal(AT_THE_BOUND);
            topology.kill(primary);
            IntStream.range(0, 3).filter(i -> i != primary).forEach(i -> topology.signal(i, "CONT"));
            awaitPromotion(topology, primary);
        });
    }

    @Test
    void aClusterPromotesAReplica() {
        tryOut("primary killed, its replica promoted", "redis-cluster", (topology, node, namespace) -> {
            int primary = IntStream.range(0, topology.size())
                    .filter(i -> topology.askRedis(i, "HLEN snowlease:{" + namespace + "}")
                            .startsWith(":"))
                    .findFirst()
                    .orElseThrow();
            topology.kill(primary);
            await("promotion")
                    .atMost(Program.PATIENCE)
                    .until(() -> IntStream.range(0, topology.size())
                            .anyMatch(i -> topology.askRedis(i, "HLEN snowlease:{" + namespace + "}")
                                    .startsWith(":")));
        });
    }

    /** They are looked for again after longer than a lease: by then each node has another one, and has renewed in it. */
    private static void expireSessions(Topology topology, ContainerNode node, String namespace) {
        Set<Long> before = ZooKeeperSessions.of(topology);
        assertThat(before).as("sessions").hasSizeGreaterThanOrEqualTo(2);
        before.forEach(session -> ZooKeeperSessions.expire(topology, session));
        Trial.last(Trial.LEASE.plus(Trial.SKEW));
        Set<Long> after = ZooKeeperSessions.of(topology);
        assertThat(after).as("sessions").hasSizeGreaterThanOrEqualTo(2).doesNotContainAnyElementsOf(before);
    }

    private static void failOver(Topology topology) {
        int primary = primary(topology);
        topology.kill(primary);
        awaitPromotion(topology, primary);
    }

    private static int primary(Topology topology) {
        return IntStream.range(0, 3)
                .filter(i -> topology.askRedis(i, "ROLE").contains("master"))
                .findFirst()
                .orElseThrow();
    }

    private static void awaitPromotion(Topology topology, int before) {
        await("promotion")
                .atMost(Program.PATIENCE)
                .until(() -> IntStream.range(0, 3)
                        .anyMatch(
                                i -> i != before && topology.askRedis(i, "ROLE").contains("master")));
    }

    private static void tryOut(String fault, String name, Fault act) {
        tryOut(fault, name, Trial.LEASE, act);
    }

    private static void tryOut(String fault, String name, Duration lease, Fault act) {
        Topology topology = Topologies.get(name);
        try (Trial trial = Trial.alone(fault, topology, 7, lease)) {
            ContainerNode first = trial.node("first").start();
            ContainerNode second = trial.nodeWithJournal("second").start();
            first.awaitReady();
            second.awaitReady();
            Traffic toFirst = trial.load(first);
            Traffic toSecond = trial.load(second);
            Optional<Embedded> here = trial.embedded();
            ContainerNode late = trial.node("late");
            try {
                act.happen(topology, first, trial.namespace());
            } finally {
                topology.up();
            }
            trial.healed();
            late.start();
            here.ifPresent(embedded -> embedded.awaitIds(100));
            trial.awaitService(toFirst, toSecond);
            late.awaitReady();
            trial.load(late).awaitIds(100);
            toFirst.awaitIds(100);
            toSecond.awaitIds(100);
        }
    }
}
