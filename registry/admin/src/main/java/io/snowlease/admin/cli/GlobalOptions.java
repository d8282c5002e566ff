package io.snowlease.admin.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Of every command. */
final class GlobalOptions {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit")
    boolean help;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    @Option(names = "--verbose", description = "Log more, and show stack traces of failures")
    void verbose(boolean on) {
        if (on) {
            LoggingSetup.verbose();
        }
    }

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Lines 'name = value' for options that are neither here nor in the environment"
                    + " ($SNOWLEASE_LEASE_DURATION for --lease-duration); may have those of other commands too."
                    + " Default: $SNOWLEASE_CONFIG, else none")
    void config(@Nullable Path file) {
        if (file != null && command.defaultValueProvider() instanceof Defaults defaults && !defaults.choose(file)) {
            throw new ParameterException(command.commandLine(), "--config must be given once: --config " + file);
        }
    }
}
