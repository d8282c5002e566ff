package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.snowlease.generator.Layout;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers as processes of the runnable jar. */
class ServeIT {
    @TempDir
    Path folder;

    private Path data;

    @BeforeEach
    void chooseDataFolder() {
        data = folder.resolve("data");
    }

    @Test
    void servesIdsAndShowsItsLease() throws Exception {
        try (Server server = Server.start(data, "node-a").awaitReady()) {
            HttpResponse<String> ids = server.get("/v1/ids?count=3");
            assertThat(ids.body()).matches("\\{\"ids\":\\[\"\\d+\",\"\\d+\",\"\\d+\"]}");

            String slot = "\\[\\{\"worker\":0,\"state\":\"HELD\",\"node\":\"node-a\",\"epoch\":1,\"until\":\"20\\S+Z\","
                    + "\"last\":(null|\"20\\S+Z\"),\"renewedAt\":\"20\\S+Z\"}]";
            assertThat(server.get("/v1/workers").body()).matches(slot);
            assertThat(leases()).matches(slot + "\\R");
            assertThat(server.get("/v1/decode/" + server.get("/v1/id").body()).body())
                    .contains("\"worker\":0");
            assertThat(server.process().err()).isEmpty();
        }
    }

    @Test
    void twoAtOnceHaveWorkers0And1() {
        try (Server first = Server.start(data, "a");
                Server second = Server.start(data, "b")) {
            assertThat(List.of(first.awaitReady().worker(), second.awaitReady().worker()))
                    .containsExactlyInAnyOrder(0, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void givesItsWorkerIdBackWhenToldToStop(String signal) {
        try (Server server = Server.start(data, "a").awaitReady()) {
            server.process().signal(signal);

            assertThat(server.process().exitCode()).as(server.process().err()).isZero();
            assertThat(server.process().err()).isEmpty();
            assertThat(leases()).contains("\"worker\":0,\"state\":\"RELEASED\"");
        }
    }

    @Test
    void saysWhyItWaitsForAQuarantineAndThenServes() throws Exception {
        try (Server host = Server.start(data, "host").awaitReady();
                Server server = startWhereNothingIsKnownToBeNew()) {
            server.process().awaitErr("; try again then, or raise the start timeout\n");
            assertThat(host.worker()).isZero();
            assertThat(server.process().out()).isEmpty();

            server.awaitReady();
            awaitId(server);
            // A machine that is too slow for a call to the coordinator adds lines of its own.
            assertThat(server.process().errLines())
                    .allMatch(line -> line.startsWith("snowlease: "))
                    .filteredOn(line -> !line.startsWith("snowlease: no ids yet: coordinator "))
                    .satisfiesExactly(
                            made -> assertThat(made)
                                    .matches("snowlease: WARN made registry [0-9a-f]{32} on .*; no lease starts before"
                                            + " 20\\S+Z, as a coordinator that has lost its data looks just like a new"
                                            + " one"),
                            waits -> assertThat(waits)
                                    .matches("snowlease: no ids yet: registry in quarantine until 20\\S+Z: no lease is"
                                            + " granted before 20\\S+Z, in \\d+ ms by the coordinator's clock; try"
                                            + " again then, or raise the start timeout"));
        }
    }

    @Test
    void answers503WhileAllWorkersAreHeld() throws Exception {
        int port = FreePort.find();
        String url = "http://127.0.0.1:" + port;
        try (Server first = Server.start(data, "a", "--workers", "0-0").awaitReady();
                Server second = Server.start(data, "b", "--port", Integer.toString(port))) {
            second.process().awaitErr("no ids yet: ");
            HttpResponse<String> refused = Server.get(url, "/v1/id");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("retry-after")).contains("1");
            assertThat(refused.body())
                    .startsWith("{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"
                            + "\"detail\":\"no free worker id: 1 of 1 (0-0) are held, the next one expires at 20");
            assertThat(Server.get(url, "/v1/workers").body()).contains("\"node\":\"a\"");
            assertThat(Server.get(url, "/v1/decode/1").statusCode()).isEqualTo(200);

            first.stop();

            second.awaitReady();
            assertThat(second.get("/v1/id").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void stopsInOrderWhileItWaits() {
        try (Server first = Server.start(data, "a", "--workers", "0-0").awaitReady();
                Server second = Server.start(data, "b")) {
            assertThat(first.worker()).isZero();
            second.process().awaitErr("no ids yet: no free worker id: 1 of 1 (0-0) are held");

            second.stop();
            assertThat(second.process().out()).isEmpty();
        }
    }

    @Test
    void warnsWhenOtherHostsCanReachIt() {
        try (Server server = Server.start(data, "a", "--host", "0.0.0.0")) {
            server.process().awaitOut("ready: worker 0, namespace default, http://0.0.0.0:");
            assertThat(server.process().err())
                    .isEqualTo("snowlease: --host 0.0.0.0 can be reached from other hosts, and there is no"
                            + " authentication: whoever reaches it can use ids up and see the nodes' names\n");
        }
    }

    @Test
    void refusesOtherSettingsThanTheRegistrys() {
        try (Server first = Server.start(data, "a").awaitReady();
                Server second = Server.start(data, "b", "--lease-duration", "3s")) {
            assertThat(first.worker()).isZero();
            assertThat(second.process().exitCode()).isEqualTo(1);
            assertThat(second.process().out()).isEmpty();
            assertThat(second.process().err())
                    .startsWith("snowlease: must equal the registry's: ")
                    .hasLineCount(1);
        }
    }

    @Test
    void refusesAPortThatIsTaken() {
        try (Server first = Server.start(data, "a").awaitReady()) {
            Matcher port = Pattern.compile(".*:(\\d+)").matcher(first.url());
            assertThat(port.matches()).isTrue();
            try (Server second = Server.start(data, "b", "--port", port.group(1))) {
                assertThat(second.process().exitCode()).isEqualTo(1);
                assertThat(second.process().err())
                        .isEqualTo("snowlease: can't listen on 127.0.0.1:" + port.group(1)
                                + " (Address already in use): stop what uses it, or choose another --port\n");
            }
        }
    }

    @Test
    void goesOnWhenTheServerThatHostsTheCoordinatorIsKilled() throws Exception {
        try (Server host = Server.start(data, "a", "--lease-duration", "5s").awaitReady();
                Server other = Server.start(data, "b").awaitReady()) {
            host.process().signal("KILL");
            await().atMost(Running.PATIENCE)
                    .until(() -> other.get("/v1/workers").statusCode() == 200);
            awaitId(other);
        }
    }

    @Test
    void movesToAnotherWorkerIdWhenItIsEvictedAndItsIdsGoOnIncreasing() throws Exception {
        try (Server server = Server.start(data, "a", "--lease-duration", "10s", "--max-skew", "1s")
                .awaitReady()) {
            List<Long> ids = new ArrayList<>(List.of(takeId(server)));
            try (Running evict = command("evict", "0", "--yes")) {
                assertThat(evict.exitCode()).as(evict.err()).isZero();
                assertThat(evict.out())
                        .matches("evicted worker 0, held by a \\(epoch 1\\): its ids stay valid; the slot is free at"
                                + " 20\\S+Z \\(in \\d+ s\\)\\R");
            }

            await().atMost(Running.PATIENCE).until(() -> {
                HttpResponse<String> reply = server.get("/v1/id");
                if (reply.statusCode() == 200) {
                    ids.add(Long.parseLong(reply.body()));
                }
                return Layout.CLASSIC.decode(ids.get(ids.size() - 1)).worker() == 1;
            });

            ids.add(takeId(server));
            assertThat(ids).isSorted().doesNotHaveDuplicates();
            assertThat(leases()).contains("\"worker\":1,\"state\":\"HELD\",\"node\":\"a\"");
            try (Running again = command("evict", "0", "--yes")) {
                assertThat(again.exitCode()).isEqualTo(1);
                assertThat(again.err())
                        .matches("snowlease: worker 0 is not held: a \\(epoch 1\\) was evicted before, it is free from"
                                + " 20\\S+Z on; nothing was changed, see 'leases' for those that are held\\R");
            }
            server.stop();
        }
    }

    @Test
    void servesOnInAQuarantineInWhichNoOtherStarts() throws Exception {
        try (Server server = Server.start(data, "a").awaitReady();
                Running quarantine = command("quarantine", "--yes")) {
            assertThat(quarantine.exitCode()).as(quarantine.err()).isZero();
            assertThat(quarantine.out())
                    .matches(
                            "quarantined registry [0-9a-f]{32} of namespace 'default' on .*: no new lease starts before"
                                    + " 20\\S+Z \\(in \\d+ s\\); present holders go on\\R");

            long before = takeId(server);
            try (Running next = command("next", "--start-timeout", "1s")) {
                assertThat(next.exitCode()).isEqualTo(1);
                assertThat(next.err())
                        .matches(
                                "snowlease: registry in quarantine until 20\\S+Z: no lease is granted before 20\\S+Z, in"
                                        + " \\d+ ms by the coordinator's clock; try again then, or raise the start timeout\\R");
            }
            assertThat(takeId(server)).isGreaterThan(before);
        }
    }

    private static long takeId(Server server) throws Exception {
        HttpResponse<String> reply = server.get("/v1/id");
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        return Long.parseLong(reply.body());
    }

    private Running command(String... line) {
        List<String> arguments = new ArrayList<>(List.of(line));
        arguments.addAll(List.of("--data", data.toString(), "--embedded-port", "0"));
        return Running.start(folder, arguments.toArray(String[]::new));
    }

    /** The folder does not say any more that it was made empty, so that a new registry has a quarantine. */
    private Server startWhereNothingIsKnownToBeNew() throws IOException {
        Files.delete(data.resolve("root"));
        return Server.start(data, "a", "--namespace", "b", "--lease-duration", "10s", "--max-skew", "500ms");
    }

    /** A lease whose renewal is late for a moment comes back by itself. */
    private static void awaitId(Server server) {
        await().atMost(Running.PATIENCE).until(() -> server.get("/v1/id").statusCode() == 200);
    }

    private String leases() {
        try (Running leases =
                Running.start(folder, "leases", "--json", "--data", data.toString(), "--embedded-port", "0")) {
            assertThat(leases.exitCode()).as(leases.err()).isZero();
            return leases.out();
        }
    }
}
