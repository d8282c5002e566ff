package io.snowlease.admin;

import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.SnowflakeGeneratorBuilder;
import io.snowlease.registry.KeeperStats;
import io.snowlease.registry.LeaseStatus;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.protocol.RegistryRecord;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.UnaryOperator;

/** Hands out one generator, after the refusals it was told of. */
public final class FakeRegistry implements WorkerRegistry {
    private final FakeGenerator generator;
    private final Queue<RuntimeException> refusals = new ArrayDeque<>();
    private volatile boolean closed;

    public FakeRegistry(FakeGenerator generator, RuntimeException... refusals) {
        this.generator = generator;
        this.refusals.addAll(List.of(refusals));
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public IdGenerator newGenerator(UnaryOperator<SnowflakeGeneratorBuilder> options) {
        RuntimeException refusal = refusals.poll();
        if (refusal != null) {
            throw refusal;
        }
        return generator;
    }

    @Override
    public Layout layout() {
        return generator.layout();
    }

    @Override
    public RegistryRecord registry() {
        return record(generator.layout());
    }

    /** A registry's record with this layout. */
    public static RegistryRecord record(Layout layout) {
        return new RegistryRecord("id", layout.spec(), 60_000, 5_000, 0, 0, 1023, 0, "", 0, 0);
    }

    @Override
    public List<LeaseStatus> leases() {
        return List.of();
    }

    @Override
    public KeeperStats stats() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        closed = true;
        generator.close();
    }
}
