package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.admin.e2e.Traffic;
import org.junit.jupiter.api.Test;

/** A replica of a Redis is promoted, and the primary that it replaces knows nothing of it: each serves a node. */
class ReplacedPrimaryIT {
    private static final String FAULT = "replaced primary goes on accepting writes";

    /** Clients, so that both serve in the same milliseconds. */
    private static final int BUSY = 12;

    /** It goes on for longer than L = 0, and nobody asks whether a replica has the leases that it grants. */
    @Test
    void forLongerThanItsLagIsNotPromisedAndMeasured() {
        Topology topology = Topologies.replaced("lag-0", "?replicas=0&lag=0s");
        try (Trial trial = Trial.of(FAULT + ", replicas=0, L = 0", topology, 0)) {
            trial.notPromised();
            promote(topology, trial, "?replicas=0&lag=0s");
            Traffic toOld = trial.load(trial.nodes().get(0), BUSY);
            ContainerNode next = trial.nodes().get(1);
            assertThat(next.awaitReady()).isZero();
            Traffic toNext = trial.load(next, BUSY);
            toOld.awaitIds(10_000);
            toNext.awaitIds(10_000);
            trial.nodes().get(0).kill();
            assertThat(trial.ids().findings().wrong())
                    .as("else it is the wrong fault that is within the promise beside it")
                    .isNotEmpty();
        }
    }

    @Test
    void forLessThanItsLagMakesNoDuplicates() {
        Topology topology = Topologies.replaced("lag-15", "?replicas=0&lag=15s");
        try (Trial trial = Trial.of(FAULT + " for 6 s, replicas=0, L = 15 s", topology, 0)) {
            Traffic toOld = promote(topology, trial, "?replicas=0&lag=15s");
            ContainerNode next = trial.nodes().get(1);
            next.awaitRefusal("quarantine");
            // Longer than the quarantine would be without L.
            Trial.last(Trial.LEASE.plus(Trial.SKEW.multipliedBy(3)));
            toOld.awaitIds(100);
            topology.kill(0);
            serveFromTheNewOne(trial, next);
        }
    }

    @Test
    void whoseReplicasMustAcknowledgeGrantsNothing() {
        Topology topology = Topologies.replaced("wait", "?replicas=1&lag=0s");
        try (Trial trial = Trial.of(FAULT + ", replicas=1", topology, 0)) {
            promote(topology, trial, "?replicas=0&lag=0s");
            trial.nodes().get(0).awaitRefusal("timestamps must be below until=");
            serveFromTheNewOne(trial, trial.nodes().get(1));
        }
    }

    /** The second node is started, and goes to the promoted one with these options. */
    private static Traffic promote(Topology topology, Trial trial, String options) {
        ContainerNode old = trial.node("old").start();
        assertThat(old.awaitReady()).isZero();
        Traffic toOld = trial.load(old);
        assertThat(topology.askRedis(1, "REPLICAOF NO ONE")).startsWith("+OK");
        trial.nodeAt(Topologies.promoted(topology, options), "new").start();
        return toOld;
    }

    private static void serveFromTheNewOne(Trial trial, ContainerNode next) {
        trial.healed();
        assertThat(next.awaitReady()).isZero();
        Traffic toNext = trial.load(next);
        trial.awaitService(toNext);
        toNext.awaitIds(2_000);
        // Its coordinator's word is no longer what the bounds are held against.
        trial.nodes().get(0).kill();
    }
}
