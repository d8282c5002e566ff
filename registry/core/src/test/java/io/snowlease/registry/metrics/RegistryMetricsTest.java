package io.snowlease.registry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.WorkerRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RegistryMetricsTest {
    @Test
    void showsLeasesBoundAndCounts() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (WorkerRegistry registry = WorkerRegistry.connect("memory:metrics", "orders")) {
            new RegistryMetrics(registry, "orders", Clocks.system()).bindTo(meters);
            assertThat(boundLeftMillis(meters)).isNaN();
            try (IdGenerator ids = registry.newGenerator()) {
                ids.nextId();
                assertThat(held(meters)).isEqualTo(1);
                assertThat(boundLeftMillis(meters)).isBetween(1.0, 60_000.0);
                assertThat(meters.get("snowlease.claims")
                                .tag("namespace", "orders")
                                .functionCounter()
                                .count())
                        .isEqualTo(1);
            }
            assertThat(held(meters)).isZero();
        }
    }

    private static double held(SimpleMeterRegistry meters) {
        return meters.get("snowlease.leases").tag("state", "held").gauge().value();
    }

    private static double boundLeftMillis(SimpleMeterRegistry meters) {
        return meters.get("snowlease.lease.bound.left").timeGauge().value(TimeUnit.MILLISECONDS);
    }
}
