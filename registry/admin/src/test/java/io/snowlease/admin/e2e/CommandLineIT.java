package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short commands, as processes of the runnable jar. */
class CommandLineIT {
    @TempDir
    Path folder;

    private Path data;

    @BeforeEach
    void chooseDataFolder() {
        data = folder.resolve("data");
    }

    @Test
    void nextPrintsIdsOnceEachAndGivesTheWorkerIdBack() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            try (Running next = run("next", "--count", "1000", "--node", "a")) {
                assertThat(next.exitCode()).as(next.err()).isZero();
                assertThat(next.err()).isEmpty();
                ids.addAll(next.outLines());
            }
        }

        assertThat(ids).hasSize(3_000).doesNotHaveDuplicates();
        assertThat(ids.stream().map(Long::parseLong).toList()).isSorted();
        try (Running leases = run("leases", "--json")) {
            assertThat(leases.exitCode()).isZero();
            assertThat(leases.outLines()).hasSize(1);
            assertThat(leases.out())
                    .startsWith("[{\"worker\":0,\"state\":\"RELEASED\",\"node\":\"a\",\"epoch\":3,\"until\":\"20")
                    .doesNotContain("token");
        }
        try (Running leases = run("leases")) {
            assertThat(leases.exitCode()).isZero();
            assertThat(leases.outLines()).hasSize(2);
            assertThat(leases.outLines().get(0)).matches("WORKER  STATE     NODE  EPOCH  UNTIL +LAST ID +RENEWED");
            String ago = "(now|\\d+ (s|min) ago)";
            assertThat(leases.outLines().get(1)).matches("0 {7}RELEASED  a {5}3 {6}" + ago + " +" + ago + " +" + ago);
        }
    }

    @Test
    void nextSaysWhatIsWrongWithItsJournal() throws Exception {
        Path journal = Files.createDirectory(folder.resolve("damaged"));
        Files.write(journal.resolve("journal"), new byte[8_192]);

        try (Running next = run("next", "--journal", journal.toString())) {
            assertThat(next.exitCode()).as(next.err()).isZero();
            assertThat(next.err())
                    .isEqualTo(
                            "snowlease: WARN the journal in " + journal + " proves no lease that could be gone on with:"
                                    + " the journal is damaged: the checksum of neither slot is right\n");
        }
        try (Running next = run("next", "--journal", journal.toString())) {
            assertThat(next.exitCode()).as(next.err()).isZero();
            assertThat(next.err()).isEmpty();
        }
    }

    @Test
    void nextEndsQuietlyWhenNobodyReadsOn() throws Exception {
        Process process = Running.builder(arguments("next", "--count", "1000000", "--node", "a"))
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(Long.parseLong(String.valueOf(out.readLine()))).isPositive();
        }
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(err).isEmpty();
        assertThat(process.exitValue()).isZero();
        assertThat(slots()).contains("\"state\":\"RELEASED\"");
    }

    @Test
    void nextGivesTheWorkerIdBackWhenItIsInterrupted() {
        // 16,384 ids a second: it is still at it when the first lines have come.
        try (Running next = run("next", "--layout", "sharded", "--key", "1", "--count", "1000000")) {
            next.awaitOut("\n");
            next.signal("INT");

            assertThat(next.exitCode()).isEqualTo(130);
            assertThat(next.err()).isEmpty();
            assertThat(slots()).contains("\"state\":\"RELEASED\"");
        }
    }

    @Test
    void initMakesARegistryOnceAndSaysWhenItIsUsable() throws Exception {
        try (Running first = run("next")) {
            assertThat(first.exitCode()).isZero();
        }
        // The folder does not say any more that it was made empty, so that a new registry has a quarantine.
        Files.delete(data.resolve("root"));
        try (Running init = run("init", "--namespace", "b", "--lease-duration", "10s", "--max-skew", "1s")) {
            assertThat(init.exitCode()).as(init.err()).isZero();
            assertThat(init.out())
                    .matches("made registry [0-9a-f]{32} of namespace 'b' on .*: layout 41/10/12,tick=1ms,"
                            + "epoch=2025-01-01T00:00:00Z, D 10 s, S 1 s, workers 0-1023; usable from 20\\S+Z"
                            + " \\(in 12 s\\)\\R");
        }
        try (Running again = run("init", "--namespace", "b", "--never-used")) {
            assertThat(again.exitCode()).isEqualTo(1);
            assertThat(again.err())
                    .matches("snowlease: namespace 'b' has a registry already \\([0-9a-f]{32}, made 20\\S+Z\\);"
                            + " it was not changed\\R");
        }
        try (Running init = run("init", "--namespace", "c", "--never-used", "--json")) {
            assertThat(init.exitCode()).as(init.err()).isZero();
            assertThat(init.out()).startsWith("{\"namespace\":\"c\",\"registryId\":\"");
        }
        try (Running next = run("next", "--namespace", "c")) {
            assertThat(next.exitCode()).as(next.err()).isZero();
        }
        try (Running next = run("next", "--namespace", "new", "--start-timeout", "20s")) {
            assertThat(next.exitCode()).isEqualTo(1);
            assertThat(next.err())
                    .matches("snowlease: registry in quarantine until 20\\S+Z: no lease is granted before 20\\S+Z, in"
                            + " \\d+ ms by the coordinator's clock; try again then, or raise the start timeout\\R");
        }
    }

    @Test
    void initAboveAnIdPutsAllIdsAboveIt() {
        long last;
        try (Running next = run("next")) {
            assertThat(next.exitCode()).isZero();
            last = Long.parseLong(next.outLines().get(0));
        }
        try (Running init = run("init", "--namespace", "b", "--never-used", "--above", Long.toString(last))) {
            assertThat(init.exitCode()).as(init.err()).isZero();
        }
        try (Running next = run("next", "--namespace", "b")) {
            assertThat(next.exitCode()).as(next.err()).isZero();
            assertThat(Long.parseLong(next.outLines().get(0))).isGreaterThan(last);
        }
    }

    @Test
    void decodeStartsNothing() {
        try (Running decode = run("decode", "233749501234567890", "--json")) {
            assertThat(decode.exitCode()).isZero();
            assertThat(decode.out())
                    .isEqualTo("{\"id\":\"233749501234567890\",\"timestamp\":\"2026-10-08T00:37:03.950Z\","
                            + "\"worker\":45,\"sequence\":2770}\n");
            assertThat(decode.err())
                    .startsWith("snowlease: layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z, classic, as no"
                            + " registry could be asked: ");
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void decodeGoesByTheRegistryThatRuns() {
        try (Server server = Server.start(data, "a", "--layout", "js-safe").awaitReady();
                Running decode = run("decode", "5")) {
            assertThat(server.worker()).isZero();
            assertThat(decode.exitCode()).isZero();
            assertThat(decode.outLines())
                    .containsExactly(
                            "id         5", "timestamp  2025-01-01T00:00:00.000Z", "worker     0", "sequence   5");
            assertThat(decode.err())
                    .startsWith("snowlease: layout 41/5/7,tick=1ms,epoch=2025-01-01T00:00:00Z, the registry's of"
                            + " namespace 'default' on ");
        }
    }

    @Test
    void decodeReadsWhatNextWrites() {
        for (String format : List.of("decimal", "base62", "crockford32", "readable")) {
            try (Running next = run("next", "--format", format)) {
                assertThat(next.exitCode()).as(next.err()).isZero();
                assertThat(next.outLines()).hasSize(1);
                try (Running decode = run("decode", next.outLines().get(0), "--format", format)) {
                    assertThat(decode.exitCode()).as(decode.err()).isZero();
                    assertThat(decode.outLines()).contains("worker     0");
                }
            }
        }
    }

    @Test
    void nextTakesAShardKey() {
        try (Running next = run("next", "--layout", "sharded", "--count", "3", "--key", "1029")) {
            assertThat(next.exitCode()).as(next.err()).isZero();
            assertThat(next.outLines()).hasSize(3).allMatch(id -> Long.parseLong(id) % 1024 == 5);
        }
        try (Running next = run("next")) {
            assertThat(next.exitCode()).isEqualTo(2);
            assertThat(next.err())
                    .startsWith("snowlease: --key must be given: the layout"
                            + " 29/10/14+10,tick=1s,epoch=2025-01-01T00:00:00Z has 10 shard bits\n");
        }
    }

    @Test
    void leasesSaysThatThereIsNoRegistry() {
        try (Running leases = run("leases", "--json")) {
            assertThat(leases.exitCode()).isEqualTo(1);
            assertThat(leases.out()).isEmpty();
            assertThat(leases.err())
                    .matches("snowlease: no registry of namespace 'default' on coordinator .*: make one with 'init', or"
                            + " let the first node make it by connecting\\R");
        }
    }

    @Test
    void namesTheServersThatDoNotAnswer() {
        try (Running next = run("next", "--coordinator", "zookeeper://127.0.0.1:1", "--start-timeout", "1s")) {
            assertThat(next.exitCode()).isEqualTo(1);
            assertThat(next.err())
                    .startsWith("snowlease: coordinator 127.0.0.1:1")
                    .hasLineCount(1);
        }
        try (Running serve =
                run("serve", "--port", "0", "--coordinator", "zookeeper://127.0.0.1:1", "--start-timeout", "1s")) {
            assertThat(serve.exitCode()).isEqualTo(1);
            assertThat(serve.err())
                    .contains("snowlease: coordinator 127.0.0.1:1 gave no answer within --start-timeout 1000ms: check"
                            + " that it runs and that this address is right\n");
        }
    }

    @Test
    void refusesAMalformedUri() {
        for (String uri : List.of("zookeeper://", "nonsense", "etcd://x:1", "embedded:x")) {
            for (List<String> command : List.of(List.of("next"), List.of("serve", "--port", "0"))) {
                List<String> arguments = new ArrayList<>(command);
                arguments.addAll(List.of("--coordinator", uri));
                try (Running process = run(arguments.toArray(String[]::new))) {
                    assertThat(process.exitCode()).as(uri).isEqualTo(2);
                    assertThat(process.err())
                            .startsWith("snowlease: ")
                            .endsWith("\nsnowlease: try 'snowlease " + command.get(0) + " --help'\n")
                            .hasLineCount(2);
                }
            }
        }
    }

    @Test
    void refusesAnEmbeddedPortThatIsHeldByAnotherProgram() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());
            for (List<String> command : List.of(List.of("next"), List.of("serve", "--port", "0"))) {
                List<String> arguments = new ArrayList<>(command);
                arguments.addAll(List.of("--data", data.toString(), "--embedded-port", port));
                try (Running process = Running.start(folder, arguments.toArray(String[]::new))) {
                    assertThat(process.exitCode()).isEqualTo(1);
                    assertThat(process.err())
                            .startsWith("snowlease: port " + port + " of 127.0.0.1, wanted for the embedded ZooKeeper")
                            .hasLineCount(1);
                }
            }
        }
    }

    @Test
    void showsStackTracesOnlyWhenAskedTo() {
        try (Running next = run("next", "--coordinator", "nonsense", "--verbose")) {
            assertThat(next.exitCode()).isEqualTo(2);
            assertThat(next.err()).contains("\tat io.snowlease.");
        }
    }

    private String slots() {
        try (Running leases = run("leases", "--json")) {
            assertThat(leases.exitCode()).as(leases.err()).isZero();
            return leases.out();
        }
    }

    private Running run(String... command) {
        return Running.start(folder, arguments(command));
    }

    private String[] arguments(String... command) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--data", data.toString(), "--embedded-port", "0"));
        return arguments.toArray(String[]::new);
    }
}
