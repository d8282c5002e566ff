package io.snowlease.admin.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.snowlease.generator.Clocks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a connection may do, and for how long. */
class ConnectionTest {
    private static final String GET_ID = "GET /v1/id HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String LAST_GET_ID = "GET /v1/id HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    @Test
    void answersPipelinedRequestsInTheirOrder() throws Exception {
        CountDownLatch slotsMayCome = new CountDownLatch(1);
        SlotSource slow = () -> {
            awaitOrFail(slotsMayCome);
            return List.of(ServerFixture.SLOT);
        };
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(), slow, ServerFixture.LIMITS);
                RawConnection raw = http.connect()) {
            raw.send(GET_ID + "GET /v1/workers HTTP/1.1\r\nHost: x\r\n\r\n" + GET_ID + LAST_GET_ID);
            assertThat(raw.readUntil("\r\n\r\n1")).startsWith("HTTP/1.1 200 OK\r\n");
            slotsMayCome.countDown();

            assertThat(bodies(raw.readToEnd())).containsExactly("[{\"worker\":0", "2", "3");
        }
    }

    @Test
    void answersThousandsOfPipelinedRequests() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving());
                RawConnection raw = http.connect()) {
            CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
                try {
                    return raw.readToEnd();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            raw.send(GET_ID.repeat(5_000) + LAST_GET_ID);

            String replies = read.get(30, TimeUnit.SECONDS);
            assertThat(replies).endsWith("\r\n\r\n5001");
            assertThat(replies.split("HTTP/1.1 200 OK", -1)).hasSize(5_002);
        }
    }

    @Test
    void keepsHttp10ConnectionsOnlyWhenAsked() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            try (RawConnection raw = http.connect()) {
                assertThat(raw.send("GET /v1/id HTTP/1.0\r\n\r\n").readToEnd())
                        .contains("connection: close\r\n")
                        .endsWith("\r\n\r\n1");
            }
            try (RawConnection raw = http.connect()) {
                raw.send("GET /v1/id HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
                assertThat(raw.readUntil("\r\n\r\n2")).contains("connection: keep-alive\r\n");
                assertThat(raw.send("GET /v1/id HTTP/1.0\r\n\r\n").readToEnd()).endsWith("\r\n\r\n3");
            }
        }
    }

    @Test
    void takesTargetsInAbsoluteForm() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving());
                RawConnection raw = http.connect()) {
            raw.send("GET http://x:1/v1/id HTTP/1.1\r\nHost: x:1\r\nConnection: close\r\n\r\n");

            assertThat(raw.readToEnd()).endsWith("\r\n\r\n1");
        }
    }

    @Test
    void refusesATargetThatIsTooLong() throws Exception {
        String detail = "the request target must be at most 4096 bytes";
        assertRefused("GET /" + "x".repeat(4096) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 414, detail);
        assertRefused("GET /" + "x".repeat(1 << 20) + " HTTP/1.1\r\nHost: x\r\n\r\n", 414, detail);
    }

    @Test
    void refusesHeaderFieldsThatAreTooLong() throws Exception {
        assertRefused(
                "GET /v1/id HTTP/1.1\r\nHost: x\r\nA: " + "x".repeat(8192) + "\r\n\r\n",
                431,
                "header fields must be at most 8192 bytes in all");
    }

    @Test
    void refusesABody() throws Exception {
        String detail = "a request must have no body";
        assertRefused("GET /v1/id HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", 413, detail);
        assertRefused("POST /v1/id HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc", 413, detail);
        assertRefused(
                "GET /v1/id HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                413,
                detail);
    }

    @Test
    void takesAnEmptyBody() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving());
                RawConnection raw = http.connect()) {
            raw.send("GET /v1/id HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");

            assertThat(raw.readToEnd()).endsWith("\r\n\r\n1");
        }
    }

    @Test
    void refusesWhatIsNotHttp() throws Exception {
        assertThat(replyTo("\u0016\u0003\u0001\u0002\r\n\r\n")).startsWith("HTTP/1.1 400 Bad Request\r\n");
        assertThat(replyTo("GET /v1/id HTTP/1.1\r\nHost: x\r\nContent-Length: a\r\n\r\n"))
                .startsWith("HTTP/1.1 400 Bad Request\r\n");
        assertThat(replyTo("GET /v1/id HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n"))
                .startsWith("HTTP/1.1 400 Bad Request\r\n");
        assertRefused("GET /v1/id HTTP/3.0\r\nHost: x\r\n\r\n", 505, "only HTTP/1.0 and HTTP/1.1 are served: HTTP/3.0");
        assertRefused("GET /v1/id HTTP/1.1\r\n\r\n", 400, "an HTTP/1.1 request must have one Host field");
        assertRefused(
                "GET /v1/id HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
                400,
                "an HTTP/1.1 request must have one Host field");
    }

    @Test
    void endsARequestThatDoesNotArriveInTime() throws Exception {
        HttpLimits limits = limits(64, Duration.ofSeconds(60), Duration.ofMillis(200));
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(), List::of, limits);
                RawConnection raw = http.connect()) {
            raw.send(GET_ID).readUntil("\r\n\r\n1");
            raw.send("GET /v1/id HT");

            assertThat(raw.readToEnd())
                    .startsWith("HTTP/1.1 408 Request Timeout\r\n")
                    .endsWith("\"detail\":\"the request did not arrive whole in time\"}");
        }
    }

    @Test
    void closesAConnectionThatNobodyUses() throws Exception {
        HttpLimits limits = limits(64, Duration.ofMillis(200), Duration.ofSeconds(10));
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(), List::of, limits);
                RawConnection raw = http.connect()) {
            raw.send(GET_ID).readUntil("\r\n\r\n1");

            assertThat(raw.readToEnd()).isEmpty();
        }
    }

    @Test
    void refusesMoreConnectionsThanItMayHave() throws Exception {
        HttpLimits limits = limits(1, Duration.ofSeconds(60), Duration.ofSeconds(10));
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(), List::of, limits);
                RawConnection first = http.connect()) {
            first.send(GET_ID).readUntil("\r\n\r\n1");
            try (RawConnection second = http.connect()) {
                assertThat(second.readToEnd())
                        .startsWith("HTTP/1.1 503 Service Unavailable\r\n")
                        .contains("retry-after: 1\r\n", "connection: close\r\n")
                        .endsWith(
                                "\"detail\":\"at most 1 connections are served at once: close some, or reuse them\"}");
            }
            first.send(GET_ID).readUntil("\r\n\r\n2");
        }
    }

    @Test
    void drainingAnswersWhatIsUnderWayAndTakesNoMore() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch slotsMayCome = new CountDownLatch(1);
        SlotSource slow = () -> {
            asked.countDown();
            awaitOrFail(slotsMayCome);
            return List.of();
        };
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(), slow, ServerFixture.LIMITS);
                RawConnection idle = http.connect();
                RawConnection busy = http.connect()) {
            idle.send(GET_ID).readUntil("\r\n\r\n1");
            busy.send("GET /v1/workers HTTP/1.1\r\nHost: x\r\n\r\n");
            awaitOrFail(asked);
            InetSocketAddress address = http.server().address();

            CompletableFuture<Boolean> drained =
                    CompletableFuture.supplyAsync(() -> http.server().drain(Duration.ofSeconds(20)));

            assertThat(idle.readToEnd()).isEmpty();
            assertThatThrownBy(() -> new java.net.Socket(address.getAddress(), address.getPort()))
                    .isInstanceOf(java.net.ConnectException.class);
            assertThat(drained).isNotDone();
            slotsMayCome.countDown();
            assertThat(busy.readToEnd()).contains("connection: close\r\n").endsWith("\r\n\r\n[]");
            assertThat(drained.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void drainingCutsOffWhatTakesTooLong() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        SlotSource stuck = () -> {
            asked.countDown();
            awaitOrFail(new CountDownLatch(1));
            return List.of();
        };
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(), stuck, ServerFixture.LIMITS);
                RawConnection busy = http.connect()) {
            busy.send("GET /v1/workers HTTP/1.1\r\nHost: x\r\n\r\n");
            awaitOrFail(asked);

            assertThat(http.server().drain(Duration.ofMillis(100))).isFalse();
            assertThat(busy.readToEnd()).isEmpty();
        }
    }

    @Test
    void givesUpOnASlowCoordinator() throws Exception {
        SlotSource stuck = () -> {
            awaitOrFail(new CountDownLatch(1));
            return List.of();
        };
        HttpLimits limits = new HttpLimits(
                4 << 10,
                8 << 10,
                64,
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofMillis(100));
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(), stuck, limits)) {
            assertThat(http.get("/v1/workers").body())
                    .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"
                            + "\"detail\":\"the coordinator did not answer within 100 ms: see 'snowlease leases'\"}");
        }
    }

    @Test
    void saysWhenItsPortIsTaken() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            InetSocketAddress address = http.server().address();
            assertThatThrownBy(() -> HttpServer.start(
                            address, FakeIds.serving(), List::of, HttpLimits.DEFAULTS, Clocks.system()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("can't listen on 127.0.0.1:" + address.getPort()
                            + " (Address already in use): stop what uses it, or choose another --port");
        }
    }

    private static void assertRefused(String request, int status, String detail) throws IOException {
        assertThat(replyTo(request))
                .startsWith("HTTP/1.1 " + status + " ")
                .contains("content-type: application/problem+json\r\n", "connection: close\r\n")
                .endsWith(",\"status\":" + status + ",\"detail\":\"" + detail + "\"}");
    }

    private static String replyTo(String request) throws IOException {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving());
                RawConnection raw = http.connect()) {
            return raw.send(request).readToEnd();
        }
    }

    private static HttpLimits limits(int connections, Duration idle, Duration read) {
        return new HttpLimits(4 << 10, 8 << 10, connections, idle, read, Duration.ofSeconds(5), Duration.ofSeconds(10));
    }

    private static List<String> bodies(String replies) {
        return java.util.Arrays.stream(replies.split("HTTP/1.1 200 OK\r\n", -1))
                .filter(reply -> reply.contains("\r\n\r\n"))
                .map(reply -> reply.substring(reply.indexOf("\r\n\r\n") + 4))
                .map(body -> body.substring(0, body.indexOf(',') < 0 ? body.length() : body.indexOf(',')))
                .toList();
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("waited 20 s in vain");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
