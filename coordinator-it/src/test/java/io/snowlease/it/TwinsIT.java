package io.snowlease.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CosId #771: two nodes whose host names, IP addresses and process ids are equal. */
class TwinsIT {
    private static final int SECOND_PORT = 7071;
    private static final int PID = 200;

    @ParameterizedTest
    @MethodSource("io.snowlease.it.Topologies#reachable")
    void twoNodesThatLookAlikeGetTwoWorkerIds(String name) {
        try (Box box = new Box("alike", ContainerNode.PORT, SECOND_PORT);
                Box twin = box.twin();
                Trial trial = Trial.of("two nodes of equal name, host, IP and pid", Topologies.get(name), 7)) {
            ContainerNode one = trial.nodeIn(box, "alike").as(PID).start();
            ContainerNode two = trial.twinOf(one, twin, SECOND_PORT).as(PID).start();
            assertThat(List.of(one.awaitReady(), two.awaitReady())).containsExactlyInAnyOrder(0, 1);
            assertThat(two.program().pid()).isEqualTo(one.program().pid()).isEqualTo(String.valueOf(PID));
            assertThat(twin.run("hostname")).isEqualTo(box.run("hostname"));
            assertThat(twin.run("hostname", "-i")).isEqualTo(box.run("hostname", "-i"));
            trial.load(one).awaitIds(500);
            trial.load(two).awaitIds(500);
        }
    }
}
