package io.snowlease.admin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.admin.FakeAdmin;
import io.snowlease.admin.FakeGenerator;
import io.snowlease.admin.FakeRegistry;
import io.snowlease.generator.Layout;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.RegistryRefusals;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Command lines, without a coordinator. */
class UsageTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final FakeRegistry registry = new FakeRegistry(new FakeGenerator(Layout.CLASSIC));

    @ParameterizedTest
    @ValueSource(
            strings = {"", "serve", "next", "leases", "decode", "init", "evict", "quarantine", "doctor", "completion"})
    void everyCommandHasHelp(String command) {
        assertThat(run((command + " --help").strip().split(" "))).isZero();
        assertThat(text(out))
                .startsWith(("Usage: snowlease " + command).strip())
                .contains("--verbose");
        assertThat(text(err)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "next --count 0, --count must be 1 to 1000000: --count 0",
        "next --count 1000001, --count must be 1 to 1000000: --count 1000001",
        "next --count x, 'Invalid value for option ''--count'': ''x'' is not an int'",
        "next --colour, 'Unknown option: ''--colour'''",
        "next --workers 5-1, 'Invalid value for option ''--workers'': must be first-last with 0 <= first <= last < 2147483647:"
                + " --workers=5-1'",
        "next --workers 0-1024 --layout classic, 'must fit the layout''s 10 worker bits (0-1023): --workers=0-1024'",
        "next --lease-duration 1ms, must be between 100 ms and 24 h: --lease-duration=PT0.001S",
        "next --max-skew 25h, must be between 0 and 24 h: --max-skew=PT25H",
        "next --lease-duration 1x, 'Invalid value for option ''--lease-duration'': must be a duration such as 500ms,"
                + " 60s, 1m, 2h or PT60S: 1x'",
        "next --namespace -x, 'must be 1 to 64 letters, digits, ''.'', ''_'' or ''-'', a letter or digit first:"
                + " --namespace=-x'",
        "decode, 'Missing required parameter: ''ID'''",
        "next --format hex, 'Invalid value for option ''--format'': format must be one of decimal, base62,"
                + " crockford32, readable: --format=hex'",
        "decode 1 --format hex, 'Invalid value for option ''--format'': format must be one of decimal, base62,"
                + " crockford32, readable: --format=hex'",
        "decode x, 'an id must be decimal digits, 11 letters and digits (base62), 13 letters and digits without U"
                + " (crockford32), or readable, such as 20261130T154012.345Z-7-42: id=x'",
        "decode 00000000010, 'the format must be named for 11 digits with a leading zero, which are decimal or base62:"
                + " id=00000000010'",
        "serve --port 70000, --port must be 0 to 65535: --port 70000",
        "serve --max-connections 0, --max-connections must be at least 1: --max-connections 0",
        "completion fish, 'SHELL must be bash or zsh: fish'",
        "next --worker 7, 'Invalid value for option ''--worker'': a worker id must come from fixed:7, property,"
                + " property:KEY, env:NAME, ip:SERVICE, ip:SERVICE:INTERFACE, mac, mac:INTERFACE or ordinal: --worker=7'",
        "next --worker ip:4, 'Invalid value for option ''--worker'': must be 0 to 3: service=4'",
        "next --worker fixed:7 --coordinator embedded:, '--coordinator must be left out with --worker, which takes the"
                + " worker id from fixed:7 and asks no coordinator'",
        "serve --worker mac --start-timeout 1s, '--start-timeout must be left out with --worker, which takes the worker"
                + " id from mac and asks no coordinator'",
        "next --worker fixed:7 --namespace ../x, 'must be 1 to 64 letters, digits, ''.'', ''_'' or ''-'', a letter or"
                + " digit first: --namespace=../x'",
        "next --worker fixed:7 --layout sharded, '--key must be given: the layout"
                + " 29/10/14+10,tick=1s,epoch=2025-01-01T00:00:00Z has 10 shard bits'",
        "evict, 'Missing required parameter: ''WORKER'''",
        "evict x --yes, 'Invalid value for positional parameter at index 0 (WORKER): ''x'' is not an int'",
        "evict 7, --yes must be given: there is no terminal to ask on",
        "quarantine, --yes must be given: there is no terminal to ask on",
        "init --above soon, --above must be a decimal id or an instant such as 2026-01-01T00:00:00Z: --above soon",
        "init --above 2100-01-01T00:00:00Z, '--above must be before 2094-09-07T15:47:35.551Z, the last instant of the"
                + " layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z: --above 2100-01-01T00:00:00Z'",
    })
    void refusesWrongUsage(String line, String message) {
        String[] arguments = line.split(" ");
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(text(out)).isEmpty();
        assertThat(text(err))
                .isEqualTo("snowlease: " + message + "\nsnowlease: try 'snowlease " + arguments[0] + " --help'\n");
    }

    @Test
    void asksForACommand() {
        assertThat(run()).isEqualTo(2);
        assertThat(text(err).lines())
                .containsExactly(
                        "snowlease: a command must be given: serve, next, leases, decode, init, evict, quarantine, doctor or"
                                + " completion",
                        "snowlease: try 'snowlease --help'");
    }

    @Test
    void nextPrintsIdsAndClosesTheRegistry() {
        assertThat(run("next", "--count", "2500")).isZero();
        assertThat(text(out).lines()).hasSize(2_500).startsWith("1", "2").endsWith("2500");
        assertThat(registry.isClosed()).isTrue();
    }

    @Test
    void aRefusalIsOneLineAndExitCode1() {
        Backend refusing = backend(
                new FakeRegistry(new FakeGenerator(Layout.CLASSIC), RegistryRefusals.allHeld()), new FakeAdmin(null));

        assertThat(run(out, refusing, "next")).isEqualTo(1);
        assertThat(text(out)).isEmpty();
        assertThat(text(err))
                .isEqualTo("snowlease: no free worker id: 2 of 2 (0-1) are held, the next one expires at"
                        + " 2026-01-02T03:04:05Z unless it is renewed; stop a node, or use a layout with more worker"
                        + " bits\n");
    }

    @Test
    void resultsThatCantBeWrittenAreAFailure() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };

        assertThat(run(full, backend(registry, new FakeAdmin(null)), "next")).isEqualTo(1);
        assertThat(text(err)).isEqualTo("snowlease: No space left on device\n");
        assertThat(registry.isClosed()).isTrue();
    }

    @Test
    void decodeSaysWhichLayoutItWentBy() {
        String id = "233749501234567890";
        assertThat(run(out, backend(registry, new FakeAdmin(null)), "decode", id, "--namespace", "b"))
                .isZero();
        assertThat(run(out, backend(registry, new FakeAdmin(FakeRegistry.record(Layout.LEAF))), "decode", id))
                .isZero();
        assertThat(run(out, backend(registry, new FakeAdmin(null, RegistryRefusals.away())), "decode", id))
                .isZero();
        assertThat(run("decode", id, "--layout", "cosid")).isZero();

        assertThat(text(err)).isEqualTo("""
                        snowlease: layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z, classic, as there is no \
                        registry of namespace 'b' on 10.0.0.1:2181
                        snowlease: layout 41/10/12,tick=1ms,epoch=2010-11-04T01:42:54.657Z, the registry's of \
                        namespace 'default' on 10.0.0.1:2181
                        snowlease: layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z, classic, as no registry could \
                        be asked: coordinator 10.0.0.1:2181 did not answer within 5000 ms: check that it runs and \
                        that this address is right
                        snowlease: layout 41/10/12,tick=1ms,epoch=2019-12-24T16:00:00Z, as --layout says
                        """);
    }

    @Test
    void decodeRefusesAnIdThatTheLayoutCantHold() {
        assertThat(run("decode", "9007199254740992", "--layout", "js-safe")).isEqualTo(2);
        assertThat(text(err))
                .contains("snowlease: id must be at most 9007199254740991, the largest of the layout"
                        + " 41/5/7,tick=1ms,epoch=2025-01-01T00:00:00Z: id=9007199254740992\n");
    }

    @ParameterizedTest
    @CsvSource({
        "decimal, 1, 2",
        "base62, 00000000001, 00000000002",
        "crockford32, 0000000000001, 0000000000002",
        "readable, 20250101T000000.000Z-0-1, 20250101T000000.000Z-0-2",
    })
    void nextWritesIdsInTheFormThatIsAskedFor(String format, String first, String second) {
        assertThat(run("next", "--count", "2", "--format", format)).isZero();
        assertThat(text(out).lines()).containsExactly(first, second);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "253183340713111594",
                "0Iha6h1Iqa2",
                "0Iha6h1Iqa2 --format base62",
                "070vwx0q40w1a",
                "070V-WX0Q-40W1-A --format crockford32",
                "20261130T154012.345Z-7-42",
                "20261130T154012.345Z-7-42 --format readable",
            })
    void decodeTakesIdsOfAnyFormApart(String arguments) {
        assertThat(run(("decode --layout classic " + arguments).split(" "))).isZero();
        assertThat(text(out).lines())
                .containsExactly(
                        "id         253183340713111594",
                        "timestamp  2026-11-30T15:40:12.345Z",
                        "worker     7",
                        "sequence   42");
    }

    @Test
    void decodeGoesByTheFormatThatIsNamed() {
        assertThat(run("decode", "00000000010", "--format", "base62", "--layout", "classic", "--json"))
                .isZero();
        assertThat(text(out)).startsWith("{\"id\":\"62\",");
    }

    @Test
    void decodeRefusesWhatIsNotInTheFormThatIsNamed() {
        assertThat(run("decode", "5", "--format", "base62", "--layout", "classic"))
                .isEqualTo(2);
        assertThat(text(out)).isEmpty();
        assertThat(text(err)).isEqualTo("""
                        snowlease: layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z, as --layout says
                        snowlease: a base62 id must be 11 characters of 0-9, A-Z and a-z: id=5
                        snowlease: try 'snowlease decode --help'
                        """);
    }

    @Test
    void takesCoordinatorAndNamespaceFromTheEnvironmentUnlessTheyAreEmpty() {
        assertThat(SnowleaseCommand.run(
                        new Io(out, new PrintStream(err, true, StandardCharsets.UTF_8)),
                        Backend.real(),
                        Map.of("SNOWLEASE_COORDINATOR", "etcd://x", "SNOWLEASE_NAMESPACE", ""),
                        "next"))
                .isEqualTo(2);
        assertThat(text(err))
                .startsWith("snowlease: must start with one of [embedded, memory, redis, ")
                .contains(", zookeeper, zookeeper+tls] and a colon")
                .endsWith(
                        " (is the registry module for it on the class path?): --coordinator=etcd://x (--coordinator is"
                                + " from $SNOWLEASE_COORDINATOR)\nsnowlease: try 'snowlease next --help'\n");
        err.reset();
        assertThat(SnowleaseCommand.run(
                        new Io(out, new PrintStream(err, true, StandardCharsets.UTF_8)),
                        Backend.real(),
                        Map.of("SNOWLEASE_NAMESPACE", "a/b"),
                        "next"))
                .isEqualTo(2);
        assertThat(text(err)).contains("--namespace=a/b (--namespace is from $SNOWLEASE_NAMESPACE)");
    }

    @Test
    void initWarnsOfLeasesThatAreShorterThanTheTolerance() {
        assertThat(run(
                        out,
                        Backend.real(),
                        "init",
                        "--coordinator",
                        "memory:short",
                        "--lease-duration",
                        "5s",
                        "--max-skew",
                        "5s"))
                .isZero();
        assertThat(text(out)).startsWith("made registry ");
        assertThat(text(err))
                .isEqualTo(
                        "snowlease: D (5 s) should be longer than S (5 s): the leases of a node whose clock is behind"
                                + " may have ended when they are granted; it is fixed now, another needs another namespace\n");
    }

    private int run(String... arguments) {
        return run(out, backend(registry, new FakeAdmin(null)), arguments);
    }

    private int run(OutputStream results, Backend backend, String... arguments) {
        return SnowleaseCommand.run(
                new Io(results, new PrintStream(err, true, StandardCharsets.UTF_8)), backend, Map.of(), arguments);
    }

    private static Backend backend(WorkerRegistry registry, RegistryAdmin admin) {
        return new Backend() {
            @Override
            public WorkerRegistry connect(WorkerRegistryBuilder builder) {
                return registry;
            }

            @Override
            public RegistryAdmin openAdmin(WorkerRegistryBuilder builder) {
                return admin;
            }
        };
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
