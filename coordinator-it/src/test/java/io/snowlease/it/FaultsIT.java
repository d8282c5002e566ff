package io.snowlease.it;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults of nodes, of their clocks and network, and of the coordinator's servers, under load: {@link Fault}. First, as it takes longest. */
@Order(1)
class FaultsIT {
    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#all")
    void whateverHappensNoIdIsIssuedTwiceAndServiceComesBack(String name) {
        try (Topology topology = Topologies.own(name)) {
            for (Duration lease : List.of(Trial.LEASE, Stage.LONG_LEASE)) {
                List<Fault> faults = Fault.of(name, lease);
                if (!faults.isEmpty()) {
                    try (Stage stage = new Stage(topology, lease)) {
                        faults.forEach(stage::tryOut);
                    }
                }
            }
        }
    }
}
