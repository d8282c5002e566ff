package io.snowlease.admin.cli;

import io.snowlease.registry.WorkerRegistryBuilder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Of every command that holds a lease. */
final class JournalOption {
    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description = "Folder on a local disk, for this process alone, with which the next process goes on with the"
                    + " same worker id after a crash, starts while the coordinator is away, and notices a clock set back."
                    + " Default: none")
    @Nullable
    Path folder;

    WorkerRegistryBuilder set(WorkerRegistryBuilder builder) {
        return folder == null ? builder : builder.journal(folder);
    }
}
