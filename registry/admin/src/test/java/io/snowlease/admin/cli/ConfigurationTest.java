package io.snowlease.admin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options from the command line, the environment and a file, seen in the registries that {@code init} makes. */
class ConfigurationTest {
    private final Map<String, String> environment = new TreeMap<>();
    private ByteArrayOutputStream out = new ByteArrayOutputStream();
    private ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void eachTestHasARegistryOfItsOwn() {
        file = folder.resolve("snowlease.conf");
        environment.put("SNOWLEASE_COORDINATOR", "memory:" + UUID.randomUUID());
    }

    @Test
    void theCommandLineComesFirstThenTheEnvironmentThenTheFile() throws IOException {
        write("lease-duration = 7s", "namespace = f");
        assertThat(init("--config", file.toString())).contains("\"namespace\":\"f\"", "\"leaseDurationMillis\":7000,");

        environment.put("SNOWLEASE_LEASE_DURATION", "8s");
        environment.put("SNOWLEASE_NAMESPACE", "e");
        assertThat(init("--config", file.toString())).contains("\"namespace\":\"e\"", "\"leaseDurationMillis\":8000,");

        assertThat(init("--config", file.toString(), "--lease-duration", "9s", "--namespace", "c"))
                .contains("\"namespace\":\"c\"", "\"leaseDurationMillis\":9000,");

        environment.put("SNOWLEASE_LEASE_DURATION", " ");
        environment.put("SNOWLEASE_NAMESPACE", "");
        assertThat(init("--namespace", "d")).contains("\"leaseDurationMillis\":60000,");
    }

    @Test
    void theFileIsFoundByItsVariableUnlessTheCommandLineNamesAnother() throws IOException {
        write("lease-duration = 7s");
        Path other = Files.writeString(folder.resolve("other.conf"), "lease-duration = 8s\n");
        environment.put("SNOWLEASE_CONFIG", file.toString());

        assertThat(init("--namespace", "a")).contains("\"leaseDurationMillis\":7000,");
        assertThat(init("--namespace", "b", "--config", other.toString())).contains("\"leaseDurationMillis\":8000,");

        environment.put("SNOWLEASE_CONFIG", "");
        assertThat(init("--namespace", "c")).contains("\"leaseDurationMillis\":60000,");
    }

    @Test
    void theFileMayBeNamedBeforeTheCommand() throws IOException {
        write("lease-duration = 7s");
        assertThat(run("--config", file.toString(), "init", "--json")).as(err()).isZero();
        assertThat(out()).contains("\"leaseDurationMillis\":7000,");
    }

    @Test
    void oneFileServesAllCommands() throws IOException {
        write("# everything", "", "port=7071", "  max-skew  =  1s  ", "count = 3", "max-connections = lots");
        assertThat(init("--config", file.toString())).contains("\"maxSkewMillis\":1000,");
    }

    @Test
    void everyOptionWithAValueCanBeSetBothWays() throws IOException {
        environment.put("SNOWLEASE_WORKERS", "3-4");
        write("layout = 41/5/7,tick=1ms,epoch=2025-01-01T00:00:00Z", "above = 2026-01-01T00:00:00Z");
        assertThat(init("--config", file.toString()))
                .contains("\"layout\":\"41/5/7,tick=1ms,epoch=2025-01-01T00:00:00Z\"", "\"workers\":\"3-4\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lease-duration | a line must be 'name = value'",
                "port: 7070 | a line must be 'name = value'",
                "lease_duration = 7s | no command has an option that takes a value and is called 'lease_duration': names"
                        + " are those of the options, without the dashes",
                "--port = 7070 | no command has an option that takes a value and is called '--port': names are those of"
                        + " the options, without the dashes",
                "json = true | no command has an option that takes a value and is called 'json': names are those of the"
                        + " options, without the dashes",
                "config = more.conf | no command has an option that takes a value and is called 'config': names are"
                        + " those of the options, without the dashes",
                "node = | 'node' must have a value: leave the line out for the default",
                "namespace = b | 'namespace' must be set once: it is in line 2 already",
            })
    void refusesAFileWithAWrongLine(String line, String rule) throws IOException {
        write("# a comment", "namespace = a", line);
        assertThat(run("init", "--config", file.toString())).isEqualTo(2);
        assertThat(out()).isEmpty();
        assertThat(err())
                .isEqualTo("snowlease: " + file + ", line 3: " + rule + "\nsnowlease: try 'snowlease init --help'\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "init | lease-duration = 1x | Invalid value for option '--lease-duration': must be a duration such as"
                        + " 500ms, 60s, 1m, 2h or PT60S: 1x (--lease-duration is from FILE, line 1)",
                "init | lease-duration = 1ms | must be between 100 ms and 24 h: --lease-duration=PT0.001S"
                        + " (--lease-duration is from FILE, line 1)",
                "next | embedded-port = 70000 | must be 0-65535, 0 for any: --embedded-port=70000"
                        + " (--embedded-port is from FILE, line 1)",
                "serve | port = 70000 | --port must be 0 to 65535: --port 70000 (--port is from FILE, line 1)",
                "next | count = 0 | --count must be 1 to 1000000: --count 0 (--count is from FILE, line 1)",
            })
    void saysInWhichLineAWrongValueIs(String command, String line, String message) throws IOException {
        write(line);
        assertThat(run(command, "--config", file.toString())).isEqualTo(2);
        assertThat(out()).isEmpty();
        assertThat(err())
                .isEqualTo("snowlease: " + message.replace("FILE", file.toString()) + "\nsnowlease: try 'snowlease "
                        + command + " --help'\n");
    }

    @Test
    void saysInWhichVariableAWrongValueIs() {
        environment.put("SNOWLEASE_PORT", "x");
        assertThat(run("serve")).isEqualTo(2);
        assertThat(err())
                .isEqualTo("snowlease: Invalid value for option '--port': 'x' is not an int (--port is from"
                        + " $SNOWLEASE_PORT)\nsnowlease: try 'snowlease serve --help'\n");
    }

    @Test
    void blamesNoFileForWhatTheCommandLineSays() throws IOException {
        write("lease-duration = 7s");
        assertThat(run("init", "--lease-duration", "1ms", "--config", file.toString()))
                .isEqualTo(2);
        assertThat(err())
                .startsWith("snowlease: must be between 100 ms and 24 h: --lease-duration=PT0.001S\nsnowlease: try ");
    }

    /** Kubernetes sets this where there is a service called snowlease. */
    @Test
    void takesNoServiceLinkForAPort() {
        environment.put("SNOWLEASE_PORT", "tcp://10.96.0.1:7070");
        assertThat(run("serve", "--max-connections", "0")).isEqualTo(2);
        assertThat(err()).startsWith("snowlease: --max-connections must be at least 1: --max-connections 0\n");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        environment.put("SNOWLEASE_CONFIG", file.toString());
        assertThat(run("leases")).isEqualTo(2);
        assertThat(err())
                .isEqualTo("snowlease: a config file must be there and be readable: " + file
                        + ": NoSuchFile\nsnowlease: try 'snowlease leases --help'\n");
    }

    @Test
    void refusesAFileThatIsNoText() throws IOException {
        Files.write(file, new byte[] {'a', (byte) 0xFF});
        assertThat(run("leases", "--config", file.toString())).isEqualTo(2);
        assertThat(err()).startsWith("snowlease: a config file must be in UTF-8: " + file + "\n");
    }

    @Test
    void refusesTwoFiles() throws IOException {
        write("port = 1");
        assertThat(run("--config", file.toString(), "leases", "--config", file.toString()))
                .isEqualTo(2);
        assertThat(err()).startsWith("snowlease: --config must be given once: --config " + file + "\n");
    }

    @Test
    void helpIsThereWhateverTheFileIsLike() throws IOException {
        write("nonsense");
        assertThat(run("init", "--help", "--config", file.toString())).as(err()).isZero();
        assertThat(out()).startsWith("Usage: snowlease init");
    }

    private void write(String... lines) throws IOException {
        Files.write(file, List.of(lines));
    }

    private String init(String... more) {
        List<String> arguments = new ArrayList<>(List.of("init", "--json"));
        arguments.addAll(List.of(more));
        assertThat(run(arguments.toArray(String[]::new))).as(err()).isZero();
        return out();
    }

    private int run(String... arguments) {
        out = new ByteArrayOutputStream();
        err = new ByteArrayOutputStream();
        return SnowleaseCommand.run(
                new Io(out, new PrintStream(err, true, StandardCharsets.UTF_8)),
                Backend.real(),
                environment,
                arguments);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
