package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.snowlease.generator.DecodedId;
import io.snowlease.generator.Layout;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve --worker} as processes: no coordinator, but the journal's lock and bound. */
class LocalWorkerIT {
    private static final Pattern READY =
            Pattern.compile("ready: worker 7, namespace default, (http://127\\.0\\.0\\.1:\\d+)\\R");
    private static final String WEAK =
            "snowlease: WARN worker 7 comes from fixed:7, not from a coordinator, and may not be"
                    + " this process's alone: every process that is given a copy of the setting has the same number, as replicas of"
                    + " one manifest have";

    @TempDir
    Path folder;

    private Path data;

    @BeforeEach
    void chooseDataFolder() {
        data = folder.resolve("data");
    }

    @Test
    void servesIdsWithoutACoordinatorAndSaysThatItIsWeak() throws Exception {
        try (Running server = serve()) {
            String url = awaitUrl(server);
            long id = Long.parseLong(Server.get(url, "/v1/id").body());
            assertThat(Layout.CLASSIC.decode(id).worker()).isEqualTo(7);
            assertThat(Server.get(url, "/v1/decode/" + id).body()).contains("\"worker\":7");

            HttpResponse<String> workers = Server.get(url, "/v1/workers");
            assertThat(workers.statusCode()).isEqualTo(404);
            assertThat(workers.body())
                    .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"detail\":\"there are"
                            + " no leases to show: this server's worker id comes from fixed:7, not from a"
                            + " coordinator\"}");

            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(server.errLines())
                    .containsExactly(
                            WEAK,
                            "snowlease: WARN the journal in " + data.resolve("workers/default/7")
                                    + " is new: if worker 7 has issued ids before, only the clock keeps new ones from"
                                    + " being the same");
            assertThat(data.resolve("data")).doesNotExist();
        }
    }

    @Test
    void aSecondServerOnTheSameFolderEndsAndNamesTheFirst() throws Exception {
        try (Running first = serve()) {
            String url = awaitUrl(first);
            try (Running second = serve()) {
                assertThat(second.exitCode()).isEqualTo(1);
                assertThat(second.out()).isEmpty();
                assertThat(second.err())
                        .isEqualTo("snowlease: a journal folder must serve one process at a time: "
                                + data.resolve("workers/default/7") + " is in use by pid " + first.pid()
                                + "; stop that process, or give this one a folder of its own\n");
            }
            assertThat(Server.get(url, "/v1/id").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void afterAKillTheNextOneGoesOnAboveAllIds() throws Exception {
        List<Long> ids = new ArrayList<>();
        for (int run = 0; run < 3; run++) {
            try (Running server = serve()) {
                String url = awaitUrl(server);
                for (int i = 0; i < 20; i++) {
                    awaitIds(url, ids);
                }
                server.signal("KILL");
                assertThat(server.exitCode()).isEqualTo(137);
            }
        }
        try (Running next = run("next", "--count", "1000")) {
            assertThat(next.exitCode()).as(next.err()).isZero();
            next.outLines().forEach(line -> ids.add(Long.parseLong(line)));
        }
        assertThat(ids).hasSize(3 * 20 * 500 + 1_000).doesNotHaveDuplicates().isSorted();
        assertThat(ids)
                .extracting(Layout.CLASSIC::decode)
                .extracting(DecodedId::worker)
                .containsOnly(7);
    }

    /** A disk that is slow may hold ids up for a moment: 503. */
    private static void awaitIds(String url, List<Long> ids) {
        await().atMost(Running.PATIENCE).until(() -> {
            HttpResponse<String> reply = Server.get(url, "/v1/ids?count=500");
            if (reply.statusCode() != 200) {
                return false;
            }
            Matcher each = Pattern.compile("\\d+").matcher(reply.body());
            while (each.find()) {
                ids.add(Long.parseLong(each.group()));
            }
            return true;
        });
    }

    private static String awaitUrl(Running server) {
        Matcher ready = READY.matcher(server.awaitOut("ready: ").out());
        assertThat(ready.matches()).as(server.out()).isTrue();
        return ready.group(1);
    }

    private Running serve() {
        return run("serve", "--port", "0");
    }

    private Running run(String... command) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--worker", "fixed:7", "--data", data.toString()));
        return Running.start(folder, arguments.toArray(String[]::new));
    }
}
