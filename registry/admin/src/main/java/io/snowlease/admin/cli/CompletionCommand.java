package io.snowlease.admin.cli;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code completion}: what a shell needs to complete command lines. */
@Command(
        name = "completion",
        description = "Print a script that has a shell complete commands and options, of 'snowlease' on the PATH and of"
                + " './snowlease': source <(snowlease completion bash)")
final class CompletionCommand implements Callable<Integer> {
    private static final List<String> SHELLS = List.of("bash", "zsh");

    @Mixin
    final GlobalOptions global = new GlobalOptions();

    @Parameters(
            paramLabel = "SHELL",
            completionCandidates = Shells.class,
            description = "The shell: bash or zsh, which take the same script")
    @SuppressWarnings("NullAway.Init")
    private String shell;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private final Io io;

    CompletionCommand(Io io) {
        this.io = io;
    }

    /** For the script itself. */
    static final class Shells implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SHELLS.iterator();
        }
    }

    @Override
    public Integer call() throws IOException {
        if (!SHELLS.contains(shell)) {
            throw new ParameterException(spec.commandLine(), "SHELL must be bash or zsh: " + shell);
        }
        CommandSpec root = spec.root();
        io.result(AutoComplete.bash(root.name(), root.commandLine()).stripTrailing());
        return 0;
    }
}
