package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

final class StoreAdmin implements RegistryAdmin {
    StoreAdmin(LeaseStore store, String namespace, Duration callTimeout, Clocks clocks) {}

    @Override
    public Optional<RegistryRecord> registry() {
        return Optional.empty();
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
    public String servers() {
        return "";
    }

    @Override
    public void close() {}
}
