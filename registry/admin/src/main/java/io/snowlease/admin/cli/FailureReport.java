package io.snowlease.admin.cli;

import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Failures as one line and an exit code. */
final class FailureReport implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private static final int FAILURE = 1;

    private final Io io;
    private final Defaults defaults;

    FailureReport(Io io, Defaults defaults) {
        this.io = io;
        this.defaults = defaults;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        if (isReaderGone(failure)) {
            return 0;
        }
        if (isVerbose(parsed)) {
            failure.printStackTrace(io.messages());
        }
        if (failure.getClass() == IllegalArgumentException.class) {
            // A value that only the registry, the coordinator or the layout could judge.
            return handleParseException(new ParameterException(command, textOf(failure), failure), new String[0]);
        }
        io.message(explained(textOf(failure), command));
        return FAILURE;
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        String trouble = defaults.trouble(command.getCommandSpec());
        io.message(trouble == null ? explained(textOf(wrong), command) : trouble);
        io.message("try '" + command.getCommandSpec().qualifiedName() + " --help'");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private String explained(String message, CommandLine command) {
        return defaults.explained(BuilderNames.asOptions(message, command.getCommandSpec()));
    }

    private static String textOf(Exception failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.toString() : message;
    }

    /** {@code snowlease next --count 1000 | head -1} has got what it wanted. */
    private static boolean isReaderGone(Exception failure) {
        return failure instanceof IOException && "Broken pipe".equals(failure.getMessage());
    }

    private static boolean isVerbose(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last.hasMatchedOption("--verbose");
    }
}
