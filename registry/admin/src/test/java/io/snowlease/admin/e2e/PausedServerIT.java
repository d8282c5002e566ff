package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server is paused for longer than its lease, another takes its worker id, and the first comes back: it must issue
 * nothing under the lease it has lost.
 */
class PausedServerIT {
    private static final String[] SETTINGS = {"--workers", "0-1", "--lease-duration", "8s", "--max-skew", "1s"};

    private static final String ONE = "/v1/id";
    private static final String MANY = "/v1/ids?count=1000";
    private static final Pattern ID = Pattern.compile("\\d+");

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
                HttpResponse<String> refused = ask(second, MANY);
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
                assertThat(refused.headers().firstValue("retry-after")).isPresent();
                assertThat(refused.body()).contains("\"detail\":\"");
                takeIds(first, third);
                await().atMost(Running.PATIENCE)
                        .until(() -> ask(second, ONE).body().contains("no lease: worker "));

                third.stop();
            }
            takeIds(first, second);
        }
        assertThat(ids).hasSizeGreaterThanOrEqualTo(8_000).doesNotHaveDuplicates();
    }

    /** From each; a server whose renewal is late says so, and is asked again. */
    private void takeIds(Server... servers) {
        for (Server server : servers) {
            await().atMost(Running.PATIENCE).until(() -> ask(server, MANY).statusCode() == 200);
        }
    }

    /** What is issued counts, whatever it was asked for. */
    private HttpResponse<String> ask(Server server, String target) throws Exception {
        HttpResponse<String> reply = server.get(target);
        assertThat(reply.statusCode()).as(reply.body()).isIn(200, 503);
        if (reply.statusCode() == 200) {
            Matcher id = ID.matcher(reply.body());
            while (id.find()) {
                ids.add(id.group());
            }
        }
        return reply;
    }
}
