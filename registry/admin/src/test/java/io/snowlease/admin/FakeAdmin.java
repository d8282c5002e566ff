package io.snowlease.admin;

import io.snowlease.registry.Examination;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.Finding;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Shows a registry, after the refusals it was told of. */
public final class FakeAdmin implements RegistryAdmin {
    private final @Nullable RegistryRecord registry;
    private final Queue<RuntimeException> refusals = new ArrayDeque<>();
    private volatile boolean closed;

    public FakeAdmin(@Nullable RegistryRecord registry, RuntimeException... refusals) {
        this.registry = registry;
        this.refusals.addAll(List.of(refusals));
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public Optional<RegistryRecord> registry() {
        RuntimeException refusal = refusals.poll();
        if (refusal != null) {
            throw refusal;
        }
        return Optional.ofNullable(registry);
    }

    @Override
    public List<SlotInfo> slots() {
        return List.of();
    }

    @Override
    public long coordinatorMillis() {
        return 0;
    }

    @Override
    public RegistryRecord init(RegistrySettings settings, boolean neverUsed, long floorMillis) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SlotInfo evict(int worker) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SlotInfo evict(SlotInfo shown) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RegistryRecord quarantine() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Examination examine() {
        RuntimeException refusal = refusals.poll();
        if (refusal != null) {
            throw refusal;
        }
        return new Examination(
                servers(), 2, new Examination.Clock(1_800_000_000_000L, 0, -3), registry, false, false, List.of());
    }

    @Override
    public List<Finding> storeFindings() {
        return List.of(Finding.ok("servers", "1 of 1 can be used: 10.0.0.1:2181"));
    }

    @Override
    public String servers() {
        return "10.0.0.1:2181";
    }

    @Override
    public void close() {
        closed = true;
    }
}
