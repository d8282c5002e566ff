package io.snowlease.admin.cli;

import io.snowlease.admin.doctor.Doctor;
import io.snowlease.admin.view.FindingsView;
import io.snowlease.generator.Clocks;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.Finding.Level;
import io.snowlease.registry.spi.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code doctor}: looks at everything, changes nothing. */
@Command(
        name = "doctor",
        description = "Look at the coordinator, the registry, this node's clock and journal, and say what is wrong and"
                + " what to do: a line for each check, ok, warning or failure. Starts nothing, changes nothing. Exit"
                + " code 1 on a failure.")
final class DoctorCommand implements Callable<Integer> {
    private static final int FAILURE = 1;

    @Mixin
    final GlobalOptions global = new GlobalOptions();

    @Mixin
    private final CoordinatorOptions coordinator = new CoordinatorOptions();

    @Option(names = "--journal", paramLabel = "DIR", description = "Look at the journal in this folder too")
    private @Nullable Path journal;

    @Option(names = "--json", description = "One line of JSON, times in ISO-8601")
    private boolean json;

    private final Io io;
    private final Backend backend;

    DoctorCommand(Io io, Backend backend) {
        this.io = io;
        this.backend = backend;
    }

    @Override
    public Integer call() throws IOException {
        Duration callTimeout = StoreOptions.DEFAULTS.callTimeout();
        WorkerRegistryBuilder looking =
                coordinator.builder().startEmbedded(false).callTimeout(callTimeout);
        List<Finding> findings = new Doctor(coordinator.namespace, coordinator.settings(), callTimeout, Clocks.system())
                .findings(() -> backend.openAdmin(looking), journal);
        if (json) {
            io.write(FindingsView.json(coordinator.namespace, findings));
        } else {
            for (String line : FindingsView.lines(findings)) {
                io.write(line);
            }
        }
        io.flush();
        return FindingsView.worst(findings) == Level.FAILURE ? FAILURE : 0;
    }
}
