package io.snowlease.admin.cli;

import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Asks before something is done that can't be undone. */
final class Confirmation {
    @Option(names = "--yes", description = "Don't ask; must be given where there is no terminal to ask on")
    private boolean yes;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    /**
     * Whether a question has to be asked at all.
     *
     * @throws ParameterException if it has to be, and there is no terminal
     */
    boolean isNeeded(Io io) {
        if (!yes && !io.terminal().isThere()) {
            throw new ParameterException(command.commandLine(), "--yes must be given: there is no terminal to ask on");
        }
        return !yes;
    }

    /** Asks; anything but y or yes is a no. */
    boolean isGiven(Io io, String question) {
        io.ask(question + " [y/N] ");
        String answer = io.terminal().readLine();
        return answer != null
                && (answer.strip().toLowerCase(Locale.ROOT).equals("y")
                        || answer.strip().toLowerCase(Locale.ROOT).equals("yes"));
    }
}
