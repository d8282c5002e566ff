package io.snowlease.it;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults of nodes, of their clocks and network, and of the coordinator's servers, under load: {@link Fault}. First, as they
 * take longest.
 */
@Order(1)
class FaultsIT {
    @ParameterizedTest
    @MethodSource("stages")
    void whateverHappensNoIdIsIssuedTwiceAndServiceComesBack(String name, Duration lease) {
        try (Topology topology = Topologies.own(name);
                Stage stage = new Stage(topology, lease)) {
            Fault.of(name, lease).forEach(stage::tryOut);
        }
    }

    private static Stream<Arguments> stages() {
        return Stream.of(Stage.LONG_LEASE, Trial.LEASE)
                .flatMap(lease -> Topologies.all()
                        .filter(name -> !Fault.of(name, lease).isEmpty())
                        .map(name -> Arguments.of(name, lease)));
    }
}
