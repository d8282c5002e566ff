package io.snowlease.admin.cli;

import io.snowlease.admin.view.Instants;
import io.snowlease.admin.view.JsonText;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.protocol.RegistryRecord;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quarantine}: after a backup was restored. */
@Command(
        name = "quarantine",
        description = "Let no new lease start for D + 2S (+ L): after you have restored a backup of the coordinator,"
                + " before nodes connect. Present holders go on. A quarantine is never shortened.")
final class QuarantineCommand implements Callable<Integer> {
    private static final int DECLINED = 1;

    @Mixin
    final GlobalOptions global = new GlobalOptions();

    @Mixin
    private final CoordinatorOptions coordinator = new CoordinatorOptions();

    @Mixin
    private final Confirmation confirmation = new Confirmation();

    @Option(names = "--json", description = "One line of JSON, times in ISO-8601")
    private boolean json;

    private final Io io;
    private final Backend backend;

    QuarantineCommand(Io io, Backend backend) {
        this.io = io;
        this.backend = backend;
    }

    @Override
    public Integer call() throws IOException {
        boolean asks = confirmation.isNeeded(io);
        try (RegistryAdmin admin = backend.openAdmin(coordinator.builder())) {
            if (asks && !isConfirmed(admin)) {
                io.message("no quarantine was set");
                return DECLINED;
            }
            RegistryRecord registry = admin.quarantine();
            io.result(json ? json(registry) : text(registry, admin));
        }
        return 0;
    }

    /** Where there is no registry there is nothing to ask: the quarantine is refused. */
    private boolean isConfirmed(RegistryAdmin admin) {
        Optional<RegistryRecord> registry = admin.registry();
        return registry.isEmpty()
                || confirmation.isGiven(
                        io,
                        "quarantine registry " + registry.get().registryId() + " of namespace '"
                                + coordinator.namespace + "' on " + admin.servers()
                                + "? No new lease starts for " + Instants.span(millis(registry.get()))
                                + "; present holders go on. It can't be taken back");
    }

    private static long millis(RegistryRecord registry) {
        return registry.leaseMillis() + 2 * registry.skewMillis() + registry.lagMillis();
    }

    private String text(RegistryRecord registry, RegistryAdmin admin) {
        return "quarantined registry " + registry.registryId() + " of namespace '" + coordinator.namespace + "' on "
                + admin.servers() + ": no new lease starts before " + Instants.iso(registry.quarantineUntil()) + " ("
                + Instants.relative(registry.quarantineUntil(), admin.coordinatorMillis())
                + "); present holders go on";
    }

    private String json(RegistryRecord registry) {
        return JsonText.of(out -> {
            out.writeStartObject();
            out.writeStringField("namespace", coordinator.namespace);
            out.writeStringField("registryId", registry.registryId());
            out.writeStringField("quarantineUntil", Instants.iso(registry.quarantineUntil()));
            out.writeEndObject();
        });
    }
}
