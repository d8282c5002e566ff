package io.snowlease.admin.cli;

import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/** {@code snowlease}: all commands. */
@Command(
        name = "snowlease",
        versionProvider = Version.class,
        description = "Leased worker ids, and 64-bit ids that are never issued twice.",
        footer = {"", "'snowlease COMMAND --help' tells more. Exit codes: 0; 1 refused or failed; 2 usage."})
public final class SnowleaseCommand implements Runnable {
    private static final int HELP_WIDTH = 100;

    @Mixin
    final GlobalOptions global = new GlobalOptions();

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit")
    boolean version;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private SnowleaseCommand() {}

    /** Runs one command line; returns its exit code. */
    public static int run(Io io, Backend backend, Map<String, String> environment, String... args) {
        Defaults defaults = new Defaults(environment);
        FailureReport failures = new FailureReport(io, defaults);
        CommandLine commands = new CommandLine(new SnowleaseCommand())
                .addSubcommand(new ServeCommand(io, backend))
                .addSubcommand(new NextCommand(io, backend))
                .addSubcommand(new LeasesCommand(io, backend))
                .addSubcommand(new DecodeCommand(io, backend))
                .addSubcommand(new InitCommand(io, backend))
                .addSubcommand(new EvictCommand(io, backend))
                .addSubcommand(new QuarantineCommand(io, backend))
                .addSubcommand(new DoctorCommand(io, backend))
                .addSubcommand(new CompletionCommand(io))
                .setDefaultValueProvider(defaults)
                .setOut(new PrintWriter(new OutputStreamWriter(io.results(), StandardCharsets.UTF_8), true))
                .setErr(new PrintWriter(new OutputStreamWriter(io.messages(), StandardCharsets.UTF_8), true))
                .setUsageHelpWidth(HELP_WIDTH)
                .setExecutionStrategy(parsed -> execute(parsed, defaults))
                .setExecutionExceptionHandler(failures)
                .setParameterExceptionHandler(failures);
        Converters.register(commands);
        return commands.execute(args);
    }

    /** Help first: it is there whatever the config file is like. */
    private static int execute(ParseResult parsed, Defaults defaults) {
        Integer helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        CommandLine command =
                parsed.asCommandLineList().get(parsed.asCommandLineList().size() - 1);
        String trouble = defaults.trouble(command.getCommandSpec());
        if (trouble != null) {
            throw new ParameterException(command, trouble);
        }
        return new RunLast().execute(parsed);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command must be given: serve, next, leases, decode, init, evict, quarantine, doctor or completion");
    }
}
