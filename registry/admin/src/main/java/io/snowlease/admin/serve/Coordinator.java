package io.snowlease.admin.serve;

import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;

/** How the server gets at its namespace. Both are opened once it runs, and closed by it. */
public interface Coordinator {
    /** For looking at it; an embedded coordinator runs as long as this is open. */
    RegistryAdmin openAdmin();

    /** For leasing; made with a start timeout of a second or so, as the server itself tries again. */
    WorkerRegistry connect();
}
