package io.snowlease.admin.cli;

import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;

/** Opens registries; tests put their own here. */
public interface Backend {
    /** {@link WorkerRegistryBuilder#connect()}. */
    WorkerRegistry connect(WorkerRegistryBuilder builder);

    /** {@link WorkerRegistryBuilder#openAdmin()}. */
    RegistryAdmin openAdmin(WorkerRegistryBuilder builder);

    /** The real ones. */
    static Backend real() {
        return new Backend() {
            @Override
            public WorkerRegistry connect(WorkerRegistryBuilder builder) {
                return builder.connect();
            }

            @Override
            public RegistryAdmin openAdmin(WorkerRegistryBuilder builder) {
                return builder.openAdmin();
            }
        };
    }
}
