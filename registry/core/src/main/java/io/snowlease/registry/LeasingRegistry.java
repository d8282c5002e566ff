package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.LeaseStore;
import java.time.Duration;

final class LeasingRegistry {
    record Config(
            String namespace,
            String node,
            RegistrySettings settings,
            Duration startTimeout,
            Duration callTimeout,
            LeaseListener listener,
            Clocks clocks) {}

    private LeasingRegistry() {}

    @SuppressWarnings("DoNotCallSuggester")
    static WorkerRegistry connect(LeaseStore store, Config config) {
        throw new UnsupportedOperationException("stand-in " + store.servers() + config);
    }
}
