package io.snowlease.it;

import io.snowlease.admin.e2e.Traffic;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of one coordinator under load, which faults happen to, one after the other: a first node, a second one with a
 * journal, a generator in this JVM where it can reach the coordinator, and a late one that joins after each fault.
 */
final class Stage implements AutoCloseable {
    /**
     * Outlasts restarts, also on a machine under load: of a node, so that its journal is still proof; of a coordinator, so
     * that it grants new leases while old ones that it has lost are in use.
     */
    static final Duration LONG_LEASE = Duration.ofSeconds(45);

    /** There are as many as nodes without a journal may leave behind in leases that have not run out. */
    private static final int LAST_WORKER = 31;

    private final Topology topology;
    private final Trial trial;
    private final ContainerNode first;
    private final ContainerNode second;
    private final ContainerNode late;
    private final Traffic toFirst;
    private final Traffic toSecond;
    private final Optional<Embedded> here;
    private @Nullable Traffic toLate;
    private boolean isLateStarted;

    /** All but the late one serve when it returns. */
    Stage(Topology topology, Duration lease) {
        this.topology = topology;
        this.trial = Trial.of("no fault", topology, LAST_WORKER, lease);
        Stage whole = null;
        try {
            first = trial.node("first").start();
            second = trial.nodeWithJournal("second").start();
            late = trial.node("late");
            first.awaitReady();
            second.awaitReady();
            toFirst = trial.load(first);
            toSecond = trial.load(second);
            here = trial.embedded();
            whole = this;
        } finally {
            if (whole == null) {
                trial.close();
            }
        }
    }

    Topology topology() {
        return topology;
    }

    Trial trial() {
        return trial;
    }

    ContainerNode first() {
        return first;
    }

    ContainerNode second() {
        return second;
    }

    /** The one that joins; started if it was not, since the fault began. */
    ContainerNode lateNode() {
        if (!isLateStarted) {
            late.start();
            isLateStarted = true;
        }
        return late;
    }

    Traffic toFirst() {
        return toFirst;
    }

    Traffic toSecond() {
        return toSecond;
    }

    /** Has it happen, then waits until all serve, the late node too, and writes its row of the report. */
    void tryOut(Fault fault) {
        System.out.printf("%s: %s%n", topology, fault.text());
        trial.begin(fault.text());
        try {
            fault.act().accept(this);
        } finally {
            topology.up();
        }
        trial.healed();
        lateNode();
        here.ifPresent(embedded -> embedded.awaitIds(100));
        trial.awaitService(toFirst, toSecond);
        late.awaitReady();
        Traffic more = toLate;
        if (more == null) {
            more = trial.load(late);
            toLate = more;
        }
        more.awaitIds(100);
        toFirst.awaitIds(100);
        toSecond.awaitIds(100);
        late.stop();
        isLateStarted = false;
        trial.end();
    }

    @Override
    public void close() {
        trial.close();
    }
}
