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

    FailureReport(Io io) {
        this.io = io;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        if (isReaderGone(failure)) {
            return 0;
        }
        String message = failure.getMessage();
        io.message(message == null || message.isBlank() ? failure.toString() : message);
        if (isVerbose(parsed)) {
            failure.printStackTrace(io.messages());
        }
        return FAILURE;
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        io.message(String.valueOf(wrong.getMessage()));
        io.message("try '" + command.getCommandSpec().qualifiedName() + " --help'");
        return command.getCommandSpec().exitCodeOnInvalidInput();
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
