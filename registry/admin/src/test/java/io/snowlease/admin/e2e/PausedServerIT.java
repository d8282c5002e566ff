package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server is paused for longer than its lease, another takes its worker id, and the first comes back: it must issue
 * nothing under the lease it has lost.
 */
class PausedServerIT {
    private static final String[] SETTINGS = {"--workers", "0-1", "--lease-duration", "3s", "--max-skew", "1s"};

    @TempDir
    Path folder;

    private final List<String> ids = new ArrayList<>();

    @Test
    void aPausedServerIssuesNothingUnderTheWorkerIdThatWasTakenFromIt() throws Exception {
        Path data = folder.resolve("data");
        // The first hosts the coordinator; the second is the one that is paused.
        try (Server first = Server.start(data, "first", SETTINGS).awaitReady();
                Server second = Server.start(data, "second", SETTINGS).awaitReady()) {
            takeIds(first, second);
            second.process().signal("STOP");
            try (Server third = Server.start(data, "third", SETTINGS).awaitReady()) {
                assertThat(third.worker()).isEqualTo(second.worker());
                takeIds(first, third);

                second.process().signal("CONT");
                HttpResponse<String> refused = firstReply(second);
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
                assertThat(refused.headers().firstValue("retry-after")).isPresent();
                assertThat(refused.body()).contains("\"detail\":\"");
                takeIds(first, third);
                await().atMost(Running.PATIENCE)
                        .until(() -> second.get("/v1/id").body().contains("no lease: worker "));

                third.stop();
            }
            await().atMost(Running.PATIENCE).until(() -> takeId(second));
            takeIds(first, second);
        }
        assertThat(ids).hasSizeGreaterThan(6_000).doesNotHaveDuplicates();
    }

    private HttpResponse<String> firstReply(Server server) throws Exception {
        return server.get("/v1/ids?count=1000");
    }

    private void takeIds(Server... servers) throws Exception {
        for (Server server : servers) {
            HttpResponse<String> reply = server.get("/v1/ids?count=1000");
            assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
            String body = reply.body();
            ids.addAll(List.of(body.substring("{\"ids\":[\"".length(), body.length() - "\"]}".length())
                    .split("\",\"", -1)));
        }
    }

    private boolean takeId(Server server) throws Exception {
        HttpResponse<String> reply = server.get("/v1/id");
        if (reply.statusCode() == 200) {
            ids.add(reply.body());
            return true;
        }
        return false;
    }
}
