package io.snowlease.registry;

import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.SnowflakeGeneratorBuilder;
import io.snowlease.registry.protocol.RegistryRecord;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A namespace's worker ids on a coordinator. Leases one for each generator, and keeps it by renewing it from one daemon
 * thread. Thread-safe.
 *
 * <p>While the coordinator is away, ids keep coming until the lease's bound; then calls are refused, and come back by
 * themselves. When a lease is lost, its generator stops, another worker id is leased, and it goes on with that one.
 */
public interface WorkerRegistry extends AutoCloseable {
    /**
     * Connects with all settings at their defaults, see {@link #builder()}.
     *
     * @param coordinator URI: {@code zookeeper://h1:2181,h2:2181/chroot}, {@code zookeeper+tls://…}, {@code redis://…} and
     *     others of Redis, {@code embedded:},
     *     {@code memory:}
     * @param namespace letters, digits, {@code . _ -}, at most 64
     * @throws CoordinatorSetupException at once, if an embedded coordinator can't be started or found
     * @throws CoordinatorAccessException at once, if the coordinator refuses this node
     * @throws CoordinatorUnavailableException if it does not answer within the start timeout
     * @throws NotGrantableYetException at once, if a quarantine or floor can't be over within the start timeout
     * @throws RegistryMismatchException if this node states other settings than the registry has
     * @throws ClockSkewException if this node's clock is too far ahead of the coordinator's
     */
    static WorkerRegistry connect(String coordinator, String namespace) {
        return builder().coordinator(coordinator).namespace(namespace).connect();
    }

    /** All there is to set. */
    static WorkerRegistryBuilder builder() {
        return new WorkerRegistryBuilder();
    }

    /** A generator on a newly leased worker id; returns once an id can be issued. Close it to give the id back. */
    default IdGenerator newGenerator() {
        return newGenerator(options -> options);
    }

    /**
     * As {@link #newGenerator()}, with other clock policy, sequence start or wait than the default ones.
     *
     * @throws CoordinatorUnavailableException if the coordinator does not answer within the start timeout
     * @throws NoFreeWorkerException if all worker ids are held, and still are after the start timeout
     * @throws NotGrantableYetException if no id can be issued within the start timeout
     * @throws ClockSkewException if this node's clock is too far ahead of the coordinator's
     * @throws IllegalStateException if this registry is closed
     */
    IdGenerator newGenerator(UnaryOperator<SnowflakeGeneratorBuilder> options);

    /** The layout of the ids; known even after a start by the journal alone. */
    Layout layout();

    /**
     * The registry as it was when last read: layout, D, S, range, quarantine.
     *
     * @throws CoordinatorUnavailableException if it was never read, as the coordinator has been away since a start by the
     *     journal alone
     */
    RegistryRecord registry();

    /** The leases of this process's open generators. */
    List<LeaseStatus> leases();

    /** What the keeper has done so far. */
    KeeperStats stats();

    /** Stops all generators, gives their worker ids back, and ends. Waits a bounded time; does not throw. */
    @Override
    void close();
}
