package io.snowlease.admin.serve;

import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;
import java.time.Duration;

/** How the server gets at its namespace. Both are opened once it runs, and closed by it. */
public interface Coordinator {
    /** For looking at it; an embedded coordinator runs as long as this is open. */
    RegistryAdmin openAdmin();

    /** For leasing; with a start timeout of seconds, as the server itself tries again, and says why it waits. */
    WorkerRegistry connect(Duration startTimeout);
}
