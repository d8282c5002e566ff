package io.snowlease.it;

import static io.snowlease.it.Topologies.ALL;
import static io.snowlease.it.Topologies.CLUSTER;
import static io.snowlease.it.Topologies.DURABLE;
import static io.snowlease.it.Topologies.ENSEMBLE;
import static io.snowlease.it.Topologies.REDIS;
import static io.snowlease.it.Topologies.REDIS_MEMORY;
import static io.snowlease.it.Topologies.SENTINEL;
import static io.snowlease.it.Topologies.ZOOKEEPER;
import static io.snowlease.it.Topologies.ZOOKEEPERS;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What happens on a {@link Stage}; when it is over, what was stopped runs again, or is up to the stage to start.
 *
 * @param text for the report
 * @param lease duration of the leases that it is tried with
 * @param inShort topologies that it is tried on in any run
 * @param everywhere topologies that it makes sense for, tried with {@code -Dsnowlease.it.full}
 * @param act makes it happen; returns when it is over
 */
record Fault(String text, Duration lease, Set<String> inShort, Set<String> everywhere, Consumer<Stage> act) {
    private static final boolean FULL = Boolean.getBoolean("snowlease.it.full");

    /** In the order in which one set of nodes lives through them. */
    private static final List<Fault> FAULTS = List.of(
            brief("clock: jitter, -5 ms, -5 s, -1 h, +1 h, +1 year", Set.of(REDIS), ALL, NodeFaults::stepTheClock),
            brief(
                    "network cut, each way, shorter and longer than a lease",
                    Set.of(ENSEMBLE, SENTINEL),
                    ALL,
                    NodeFaults::cutTheNetwork),
            brief("rolling restart", Set.of(CLUSTER), ALL, NodeFaults::restartOneAfterTheOther),
            brief("sessions expired", Set.of(ENSEMBLE), ZOOKEEPERS, CoordinatorFaults::expire),
            brief("leader killed", Set.of(ENSEMBLE), CoordinatorFaults::killTheLeader),
            brief("majority killed", Set.of(ENSEMBLE), CoordinatorFaults::killTheMajority),
            brief("killed, restarted with its data", Set.of(REDIS), DURABLE, CoordinatorFaults::kill),
            brief("FLUSHALL", Set.of(REDIS), Set.of(REDIS, REDIS_MEMORY), CoordinatorFaults::flush),
            brief("primary killed, a replica promoted", Set.of(SENTINEL, CLUSTER), CoordinatorFaults::killThePrimary),
            brief("replicas that lag, one promoted", Set.of(SENTINEL), CoordinatorFaults::promoteWhatLags),
            lengthy(
                    "kill -9, restart with the clock 1 s, 10 s, 1 h behind",
                    Set.of(ZOOKEEPER, REDIS),
                    ALL,
                    NodeFaults::restartWithClocksBehind),
            lengthy(
                    "coordinator away at start",
                    Set.of(ZOOKEEPER, REDIS),
                    DURABLE,
                    NodeFaults::startWithoutCoordinator),
            lengthy(
                    "killed, restarted without data",
                    Set.of(ZOOKEEPER, REDIS_MEMORY),
                    Set.of(ZOOKEEPER, REDIS_MEMORY),
                    CoordinatorFaults::loseAllData));

    private static Fault brief(String text, Set<String> topologies, Consumer<Stage> act) {
        return brief(text, topologies, topologies, act);
    }

    private static Fault brief(String text, Set<String> inShort, Set<String> everywhere, Consumer<Stage> act) {
        return new Fault(text, Trial.LEASE, inShort, everywhere, act);
    }

    private static Fault lengthy(String text, Set<String> inShort, Set<String> everywhere, Consumer<Stage> act) {
        return new Fault(text, Stage.LONG_LEASE, inShort, everywhere, act);
    }

    /** Those that this run tries on a topology, with leases of this duration. */
    static List<Fault> of(String topology, Duration lease) {
        return senseful(topology, lease)
                .filter(fault -> FULL || fault.inShort.contains(topology))
                .toList();
    }

    /** All that make sense for a topology, with leases of this duration. */
    static List<Fault> all(String topology, Duration lease) {
        return senseful(topology, lease).toList();
    }

    private static Stream<Fault> senseful(String topology, Duration lease) {
        return FAULTS.stream().filter(fault -> fault.everywhere.contains(topology) && fault.lease.equals(lease));
    }
}
