package io.snowlease.admin.cli;

import io.snowlease.admin.view.SlotsJson;
import io.snowlease.admin.view.SlotsTable;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.SlotInfo;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code leases}: every worker id that was ever leased. */
@Command(name = "leases", description = "Show every worker id that was ever leased, and who holds it.")
final class LeasesCommand implements Callable<Integer> {
    @Mixin
    final GlobalOptions global = new GlobalOptions();

    @Mixin
    private final CoordinatorOptions coordinator = new CoordinatorOptions();

    @Option(names = "--json", description = "One line of JSON, times in ISO-8601")
    private boolean json;

    private final Io io;
    private final Backend backend;

    LeasesCommand(Io io, Backend backend) {
        this.io = io;
        this.backend = backend;
    }

    @Override
    public Integer call() throws IOException {
        try (RegistryAdmin admin = backend.openAdmin(coordinator.builder())) {
            List<SlotInfo> slots = admin.slots();
            if (json) {
                io.write(SlotsJson.of(slots));
            } else {
                for (String line : SlotsTable.of(slots, admin.coordinatorMillis())) {
                    io.write(line);
                }
            }
            io.flush();
        }
        return 0;
    }
}
