package io.snowlease.admin.cli;

import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.SnowflakeGeneratorBuilder;
import io.snowlease.generator.local.LocalGenerator;
import io.snowlease.generator.local.WorkerIdSource;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.spi.StoreOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** A worker id without a coordinator, and the journal. */
final class WorkerOptions {
    /** What only a coordinator could make use of. */
    private static final List<String> COORDINATORS = List.of(
            "--coordinator",
            "--node",
            "--lease-duration",
            "--max-skew",
            "--workers",
            "--embedded-port",
            "--start-timeout",
            "--zookeeper-auth-file",
            "--zookeeper-trust-store",
            "--zookeeper-key-store");

    @Option(
            names = "--worker",
            paramLabel = "SOURCE",
            description = "Take the worker id from here, and ask no coordinator; weaker than a lease, as two processes"
                    + " can get the same one: fixed:7; property (system property snowlease.worker.id, then"
                    + " $SNOWLEASE_WORKER_ID) or property:KEY; env:NAME; ip:SERVICE (0-3, times 256, plus the last 8 bits of"
                    + " the IPv4 address) or ip:SERVICE:INTERFACE; mac (its low 10 bits) or mac:INTERFACE; ordinal (7 in"
                    + " a StatefulSet's pod name-7)")
    @Nullable
    WorkerIdSource worker;

    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description = "Folder on a local disk, for this process alone, with which the next process goes on with the"
                    + " same worker id after a crash, starts while the coordinator is away, and notices a clock that was"
                    + " set back. Default: none; with --worker, which needs one, workers/NAMESPACE/WORKER in the folder"
                    + " of --data")
    @Nullable
    Path journal;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    /**
     * The source of the worker id; null if a coordinator leases it.
     *
     * @throws ParameterException if there are options that don't go together
     */
    @Nullable
    WorkerIdSource checked() {
        if (worker == null) {
            return null;
        }
        ParseResult given = command.commandLine().getParseResult();
        for (String option : COORDINATORS) {
            if (given.hasMatchedOption(option)) {
                throw new ParameterException(
                        command.commandLine(),
                        option + " must be left out with --worker, which takes the worker id from " + worker
                                + " and asks no coordinator");
            }
        }
        return worker;
    }

    /** What leases a worker id, with the journal. */
    WorkerRegistryBuilder leasing(CoordinatorOptions coordinator) {
        WorkerRegistryBuilder builder = coordinator.builder();
        return journal == null ? builder : builder.journal(journal);
    }

    /** Opens a generator on it; its journal is closed with it. */
    IdGenerator open(
            WorkerIdSource source, CoordinatorOptions coordinator, UnaryOperator<SnowflakeGeneratorBuilder> options) {
        return LocalGenerator.open(
                layout(coordinator), id -> journal == null ? folder(coordinator, id) : journal, source, options);
    }

    /** Nobody stores it: the journal refuses another one. */
    static Layout layout(CoordinatorOptions coordinator) {
        return coordinator.layout == null ? Layout.CLASSIC : coordinator.layout;
    }

    private static Path folder(CoordinatorOptions coordinator, int id) {
        Path data = coordinator.data == null ? StoreOptions.defaultDataFolder() : coordinator.data;
        return data.resolve("workers").resolve(coordinator.namespace).resolve(Integer.toString(id));
    }
}
