package io.snowlease.it;

import io.snowlease.admin.e2e.Traffic;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The network between a node and its coordinator is cut, both ways and one way, shorter and longer than a lease. */
class NetworkCutIT {
    private static final Duration SHORT = Trial.LEASE.dividedBy(4);

    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#replicated")
    void aNodeThatIsCutOffStopsAtItsBoundAndComesBack(String name) {
        Topology topology = Topologies.get(name);
        try (Trial trial = Trial.of("network cut, each way, shorter and longer than a lease", topology, 7)) {
            ContainerNode cut = trial.node("cut").start();
            ContainerNode other = trial.node("other").start();
            cut.awaitReady();
            other.awaitReady();
            Traffic toCut = trial.load(cut);
            Traffic toOther = trial.load(other);
            for (Box.Way way : Box.Way.values()) {
                try {
                    cut.box().cut(topology.box(), way);
                    Trial.last(SHORT);
                    cut.box().join();
                    toCut.awaitIds(100);
                    cut.box().cut(topology.box(), way);
                    cut.awaitRefusal("timestamps must be below until=");
                    toOther.awaitIds(100);
                } finally {
                    cut.box().join();
                }
                trial.healed();
                trial.awaitService(toCut, toOther);
            }
        }
    }
}
