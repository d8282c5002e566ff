package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.snowlease.admin.e2e.IssuedIds;
import io.snowlease.generator.DecodedId;
import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.LeaseStatus;
import io.snowlease.registry.NoFreeWorkerException;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** More nodes than worker ids, in this JVM. */
class ManyNodesIT {
    private static final int WORKERS = 1_024;
    private static final Duration LEASE = Duration.ofMinutes(2);

    /** Leaf #84, #26: short-lived nodes with new names, one alive at a time. */
    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#reachable")
    void moreShortLivedNodesThanThereAreWorkerIdsAllGetOne(String name) {
        Topology topology = Topologies.get(name);
        try (Trial trial = Trial.of("1,025 short-lived nodes", topology, WORKERS - 1, LEASE)) {
            Set<Integer> workers = new HashSet<>();
            for (int i = 0; i <= WORKERS; i++) {
                try (WorkerRegistry registry =
                                builder(trial, topology).node("short-" + i).connect();
                        IdGenerator ids = registry.newGenerator()) {
                    workers.add(issue(trial, registry, ids, "short-" + i));
                }
            }
            assertThat(workers).hasSize(WORKERS);
        }
    }

    /** baidu PR #88: all worker ids held. */
    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#reachable")
    void oneNodeMoreThanThereAreWorkerIdsIsToldSo(String name) {
        Topology topology = Topologies.get(name);
        try (Trial trial = Trial.of("all 1,024 worker ids held", topology, WORKERS - 1, LEASE);
                WorkerRegistry registry = builder(trial, topology)
                        .node("many")
                        .startTimeout(Duration.ofSeconds(1))
                        .connect()) {
            for (int i = 0; i < WORKERS; i++) {
                issue(trial, registry, registry.newGenerator(), "many-" + i);
            }
            assertThatExceptionOfType(NoFreeWorkerException.class)
                    .isThrownBy(registry::newGenerator)
                    .withMessageMatching("no free worker id: 1024 of 1024 \\(0-1023\\) are held, the next one expires"
                            + " at 20\\S+Z.*");
        }
    }

    private static WorkerRegistryBuilder builder(Trial trial, Topology topology) {
        return WorkerRegistry.builder()
                .coordinator(topology.hostUri().orElseThrow())
                .namespace(trial.namespace());
    }

    private static int issue(Trial trial, WorkerRegistry registry, IdGenerator ids, String node) {
        IssuedIds.Client client = trial.ids().client(node, 1);
        for (int i = 0; i < 3; i++) {
            long id = ids.nextId();
            client.issued(id);
            DecodedId decoded = registry.layout().decode(id);
            assertThat(registry.leases()).as("I3, I4: %s", decoded).anyMatch(lease -> isWithin(lease, decoded));
        }
        return ids.workerId();
    }

    private static boolean isWithin(LeaseStatus lease, DecodedId id) {
        return lease.worker() == id.worker()
                && lease.notBeforeMillis() <= id.timestampMillis()
                && id.timestampMillis() < lease.untilMillis();
    }
}
