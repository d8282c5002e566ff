package io.snowlease.registry.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.snowlease.generator.Clocks;
import io.snowlease.registry.KeeperStats;
import io.snowlease.registry.LeaseState;
import io.snowlease.registry.LeaseStatus;
import io.snowlease.registry.WorkerRegistry;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Meters of one {@link WorkerRegistry}, tagged with its namespace. Thread-safe.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><td>{@code snowlease.leases}</td><td>open generators' leases, by {@code state}</td></tr>
 * <tr><td>{@code snowlease.lease.bound.left}</td><td>time until the nearest bound, the time that ids still come while
 * the coordinator is away; NaN without a lease</td></tr>
 * <tr><td>{@code snowlease.clock.skew}</td><td>node's clock minus coordinator's at the last exchange</td></tr>
 * <tr><td>{@code snowlease.renewals}</td><td>renewals by {@code outcome}: renewed, failed, fenced, forgotten</td></tr>
 * <tr><td>{@code snowlease.claims}</td><td>worker ids leased</td></tr>
 * </table>
 */
public final class RegistryMetrics implements MeterBinder {
    private final WorkerRegistry registry;
    private final String namespace;
    private final Clocks clocks;

    /** For {@code registry}; {@code clocks} tell how far its bounds are away. */
    public RegistryMetrics(WorkerRegistry registry, String namespace, Clocks clocks) {
        this.registry = registry;
        this.namespace = namespace;
        this.clocks = clocks;
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        for (LeaseState state : LeaseState.values()) {
            Gauge.builder("snowlease.leases", registry, source -> countIn(source, state))
                    .description("Leases of this process's open generators")
                    .tag("namespace", namespace)
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
        TimeGauge.builder("snowlease.lease.bound.left", registry, TimeUnit.MILLISECONDS, this::boundLeftMillis)
                .description("Time until the nearest bound; ids are refused once it has passed")
                .tag("namespace", namespace)
                .register(meters);
        TimeGauge.builder("snowlease.clock.skew", registry, TimeUnit.MILLISECONDS, RegistryMetrics::skewMillis)
                .description("This node's clock minus the coordinator's at the last exchange")
                .tag("namespace", namespace)
                .register(meters);
        renewals(meters, "renewed", KeeperStats::renewals);
        renewals(meters, "failed", KeeperStats::failedRenewals);
        renewals(meters, "fenced", KeeperStats::fenced);
        renewals(meters, "forgotten", KeeperStats::forgotten);
        FunctionCounter.builder(
                        "snowlease.claims", registry, source -> source.stats().claims())
                .description("Worker ids leased")
                .tag("namespace", namespace)
                .register(meters);
    }

    private void renewals(MeterRegistry meters, String outcome, ToDoubleFunction<KeeperStats> count) {
        FunctionCounter.builder("snowlease.renewals", registry, source -> count.applyAsDouble(source.stats()))
                .description("Renewals of leases")
                .tag("namespace", namespace)
                .tag("outcome", outcome)
                .register(meters);
    }

    private static double countIn(WorkerRegistry source, LeaseState state) {
        return source.leases().stream().filter(lease -> lease.state() == state).count();
    }

    private double boundLeftMillis(WorkerRegistry source) {
        long now = clocks.wallMillis();
        return source.leases().stream()
                .mapToDouble(lease -> lease.untilMillis() - now)
                .min()
                .orElse(Double.NaN);
    }

    private static double skewMillis(WorkerRegistry source) {
        return source.leases().stream()
                .mapToDouble(LeaseStatus::skewMillis)
                .findFirst()
                .orElse(Double.NaN);
    }
}
