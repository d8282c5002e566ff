package io.snowlease.admin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of {@code completion}, asked by a real bash. */
class CompletionTest {
    /** As readline does: the compspec of the word, or of its last part, and its function; compopt works under readline alone. */
    private static final String ASK = """
            compopt() { :; }
            source "$1" || exit 1
            shift
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
            spec=$(complete -p -- "${1##*/}") || exit 1
            [[ $spec =~ -F\\ ([^ ]+) ]] || exit 1
            "${BASH_REMATCH[1]}" "$1" "${@: -1}" "${@: -2:1}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """;

    @TempDir
    private Path folder;

    @Test
    void bashCompletesCommandsAndOptionsAndTheirValues() throws Exception {
        Path script = Files.writeString(folder.resolve("completion"), script("bash"));

        assertThat(asked(script, "snowlease", "qu")).containsExactly("quarantine");
        assertThat(asked(script, "./snowlease", "dec")).containsExactly("decode");
        assertThat(asked(script, "snowlease", "init", "--ne")).containsExactly("--never-used");
        assertThat(asked(script, "snowlease", "next", "--format", "c")).containsExactly("crockford32");
        assertThat(asked(script, "snowlease", "completion", "")).contains("bash", "zsh");
    }

    @Test
    void zshTakesTheSameScript() {
        assertThat(script("zsh")).isEqualTo(script("bash")).contains("bashcompinit");
    }

    private static String script(String shell) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = SnowleaseCommand.run(
                new Io(out, new PrintStream(err, true, StandardCharsets.UTF_8)),
                Backend.real(),
                Map.of(),
                "completion",
                shell);
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static List<String> asked(Path script, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", "--norc", "-c", ASK, "ask", script.toString()));
        command.addAll(List.of(words));
        Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
        bash.getOutputStream().close();
        String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).as(answer).isZero();
        return answer.lines().toList();
    }
}
