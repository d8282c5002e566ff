package io.snowlease.admin.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.admin.FakeGenerator;
import io.snowlease.generator.GeneratorRefusals;
import io.snowlease.generator.Layout;
import io.snowlease.registry.RegistryRefusals;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each path answers. */
class RoutesTest {
    @Test
    void answersAnIdAsDecimalTextThatIsNotToBeStored() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            HttpResponse<String> reply = http.get("/v1/id");

            assertThat(reply.statusCode()).isEqualTo(200);
            assertThat(reply.body()).isEqualTo("1");
            assertThat(header(reply, "content-type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(header(reply, "cache-control")).isEqualTo("no-store");
            assertThat(http.get("/v1/id").body()).isEqualTo("2");
        }
    }

    @Test
    void answersABatchAsStrings() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            HttpResponse<String> reply = http.get("/v1/ids?count=3");

            assertThat(reply.statusCode()).isEqualTo(200);
            assertThat(reply.body()).isEqualTo("{\"ids\":[\"1\",\"2\",\"3\"]}");
            assertThat(header(reply, "content-type")).isEqualTo("application/json");
            assertThat(header(reply, "cache-control")).isEqualTo("no-store");
        }
    }

    @Test
    void answersTheLargestBatch() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            assertThat(http.get("/v1/ids?count=10000").body())
                    .startsWith("{\"ids\":[\"1\",")
                    .endsWith(",\"10000\"]}");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "count=0, count must be 1 to 10000: count=0",
        "count=-1, count must be 1 to 10000: count=-1",
        "count=abc, count must be 1 to 10000: count=abc",
        "count=, count must be 1 to 10000: count=",
        "count, count must be 1 to 10000: count=",
        "count=10001, count must be 1 to 10000: count=10001",
        "count=99999999999999999999, count must be 1 to 10000: count=99999999999999999999",
        "count=%2B3, count must be 1 to 10000: count=+3",
        "count=1.0, count must be 1 to 10000: count=1.0",
        "x=1, 'parameters here are count, key, format, not x'",
        "count=1&count=1, parameters must be given once each: count",
        "count=%zz, '''%'' must be followed by two hex digits: %zz'",
        "count=%ff, percent-encoded bytes must be UTF-8: %ff",
        "count=1&key=7, 'key must be left out: the layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z has no shard bits'",
    })
    void refusesAWrongCount(String query, String detail) throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving());
                RawConnection raw = http.connect()) {
            raw.send("GET /v1/ids?" + query + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

            assertThat(raw.readToEnd())
                    .startsWith("HTTP/1.1 400 Bad Request\r\n")
                    .contains("content-type: application/problem+json\r\n", "cache-control: no-store\r\n")
                    .endsWith("{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,\"detail\":\""
                            + detail + "\"}");
        }
    }

    @Test
    void asksForACountThatWasLeftOut() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            assertProblem(
                    http.get("/v1/ids"),
                    400,
                    "Bad Request",
                    "count must be given, 1 to 10000, such as /v1/ids?count=3");
        }
    }

    @Test
    void carriesTheShardKeyInLayoutsThatHaveShardBits() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(new FakeGenerator(Layout.SHARDED)))) {
            assertThat(http.get("/v1/id?key=1029").body()).isEqualTo(Long.toString(1 << 10 | 5));
            assertThat(http.get("/v1/id?key=-1").body()).isEqualTo(Long.toString(2 << 10 | 1023));
            assertThat(http.get("/v1/ids?count=2&key=5").body()).isEqualTo("{\"ids\":[\"3077\",\"4101\"]}");
            assertProblem(
                    http.get("/v1/id"),
                    400,
                    "Bad Request",
                    "key must be given: the layout 29/10/14+10,tick=1s,epoch=2025-01-01T00:00:00Z has 10 shard bits,"
                            + " such as /v1/id?key=7");
            assertProblem(
                    http.get("/v1/id?key=a"),
                    400,
                    "Bad Request",
                    "key must be a whole number of at most 64 bits: key=a");
        }
    }

    @Test
    void answersTheSlotsWithoutTheirTokens() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            HttpResponse<String> reply = http.get("/v1/workers");

            assertThat(reply.statusCode()).isEqualTo(200);
            assertThat(reply.body())
                    .isEqualTo("[{\"worker\":0,\"state\":\"HELD\",\"node\":\"node-a\",\"epoch\":7,"
                            + "\"until\":\"2026-01-02T03:05:05.000Z\",\"last\":\"2026-01-02T03:04:05.678Z\","
                            + "\"renewedAt\":\"2026-01-02T03:04:10.000Z\"}]");
        }
    }

    @Test
    void saysWhenTheSlotsCantBeRead() throws Exception {
        SlotSource away = () -> {
            throw RegistryRefusals.away();
        };
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(), away, ServerFixture.LIMITS)) {
            HttpResponse<String> reply = http.get("/v1/workers");

            assertProblem(
                    reply,
                    503,
                    "Service Unavailable",
                    "coordinator 10.0.0.1:2181 did not answer within 5000 ms: check that it runs and that this address"
                            + " is right");
            assertThat(header(reply, "retry-after")).isEqualTo("1");
        }
    }

    @Test
    void saysWhereTheWorkerIdComesFromIfNotFromACoordinator() throws Exception {
        SlotSource none = () -> {
            throw new NoCoordinatorException("fixed:7");
        };
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(), none, ServerFixture.LIMITS)) {
            assertProblem(
                    http.get("/v1/workers"),
                    404,
                    "Not Found",
                    "there are no leases to show: this server's worker id comes from fixed:7, not from a coordinator");
        }
    }

    @Test
    void takesAnIdApart() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            assertThat(http.get("/v1/decode/233749501234567890").body())
                    .isEqualTo("{\"id\":\"233749501234567890\",\"timestamp\":\"2026-10-08T00:37:03.950Z\","
                            + "\"worker\":45,\"sequence\":2770}");
            assertProblem(
                    http.get("/v1/decode/abc"),
                    400,
                    "Bad Request",
                    "an id must be decimal digits, 11 letters and digits (base62), 13 letters and digits without U"
                            + " (crockford32), or readable, such as 20261130T154012.345Z-7-42: id=abc");
            assertProblem(http.get("/v1/decode/-1"), 400, "Bad Request", "id must not be negative: id=-1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "decimal, 1",
        "base62, 00000000001",
        "Base62, 00000000001",
        "crockford32, 0000000000001",
        "readable, 20250101T000000.000Z-0-1",
    })
    void writesIdsInTheFormThatIsAskedFor(String format, String id) throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            HttpResponse<String> reply = http.get("/v1/id?format=" + format);

            assertThat(reply.statusCode()).isEqualTo(200);
            assertThat(reply.body()).isEqualTo(id);
            assertThat(header(reply, "content-type")).isEqualTo("text/plain; charset=utf-8");
        }
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            assertThat(http.get("/v1/ids?count=1&format=" + format).body()).isEqualTo("{\"ids\":[\"" + id + "\"]}");
        }
    }

    @Test
    void writesTheShardOfLayoutsThatHaveOne() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(new FakeGenerator(Layout.SHARDED)))) {
            assertThat(http.get("/v1/ids?count=2&key=1029&format=readable").body())
                    .isEqualTo("{\"ids\":[\"20250101T000000.000Z-0-1-5\",\"20250101T000000.000Z-0-2-5\"]}");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/id?format=hex, hex",
        "/v1/id?format=, ''",
        "/v1/ids?count=3&format=hex, hex",
        "/v1/decode/1?format=hex, hex",
    })
    void namesTheFormatsThereAreAndUsesNoIdUp(String target, String format) throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            assertProblem(
                    http.get(target),
                    400,
                    "Bad Request",
                    "format must be one of decimal, base62, crockford32, readable: format=" + format);
            assertThat(http.get("/v1/id").body()).isEqualTo("1");
        }
        try (ServerFixture http = ServerFixture.of(FakeIds.waiting("in quarantine", 4_200))) {
            assertThat(http.get(target).statusCode()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "253183340713111594",
                "253183340713111594?format=decimal",
                "0Iha6h1Iqa2",
                "0Iha6h1Iqa2?format=base62",
                "070VWX0Q40W1A",
                "o7ov-wxoq-4ow1-a",
                "20261130T154012.345Z-7-42",
                "20261130T154012%2E345Z-7-42?format=readable",
            })
    void takesAnIdOfAnyFormApart(String id) throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            assertThat(http.get("/v1/decode/" + id).body())
                    .isEqualTo("{\"id\":\"253183340713111594\",\"timestamp\":\"2026-11-30T15:40:12.345Z\","
                            + "\"worker\":7,\"sequence\":42}");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "00000000010, 'the format must be named for 11 digits with a leading zero, which are decimal or base62:"
                + " id=00000000010'",
        "9223372036854775808, a decimal id must be at most 9223372036854775807: id=9223372036854775808",
        "zzzzzzzzzzz, 'a base62 id must be at most AzL8n0Y58m7, 2^63 - 1: id=zzzzzzzzzzz'",
        "5?format=base62, 'a base62 id must be 11 characters of 0-9, A-Z and a-z: id=5'",
        "20261130T154012.345Z-1024-0, worker must be 0 to 1023 (10 bits): worker=1024",
    })
    void refusesWhatIsNoIdOfItsForm(String id, String detail) throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            assertProblem(http.get("/v1/decode/" + id), 400, "Bad Request", detail);
        }
    }

    @Test
    void goesByTheFormatThatIsNamed() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            assertThat(http.get("/v1/decode/00000000010?format=base62").body()).startsWith("{\"id\":\"62\",");
            assertThat(http.get("/v1/decode/00000000010?format=decimal").body()).startsWith("{\"id\":\"10\",");
        }
    }

    @Test
    void showsTheShardOfLayoutsThatHaveOne() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(new FakeGenerator(Layout.SHARDED)))) {
            assertThat(http.get("/v1/decode/5").body())
                    .isEqualTo("{\"id\":\"5\",\"timestamp\":\"2025-01-01T00:00:00.000Z\",\"worker\":0,\"sequence\":0,"
                            + "\"shard\":5}");
        }
    }

    @Test
    void saysWhyThereAreNoIdsYet() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.waiting("in quarantine", 4_200))) {
            for (String target : new String[] {"/v1/id", "/v1/ids?count=3"}) {
                HttpResponse<String> reply = http.get(target);
                assertProblem(reply, 503, "Service Unavailable", "in quarantine");
                assertThat(header(reply, "retry-after")).isEqualTo("5");
            }
            assertProblem(
                    http.get("/v1/decode/1"),
                    503,
                    "Service Unavailable",
                    "the layout is not known until the registry has been read: in quarantine");
            assertThat(http.get("/v1/ids?count=0").statusCode()).isEqualTo(400);
        }
    }

    @Test
    void answersARefusalWithItsReasonAndWhenToComeBack() throws Exception {
        FakeGenerator generator = new FakeGenerator(Layout.CLASSIC);
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(generator))) {
            generator.refuseAlways(GeneratorRefusals.boundReached());
            HttpResponse<String> unknown = http.get("/v1/id");
            assertProblem(unknown, 503, "Service Unavailable", "the bound of worker 3 has passed");
            assertThat(header(unknown, "retry-after")).isEqualTo("1");

            generator.refuseAlways(GeneratorRefusals.clockBehind(60_001));
            HttpResponse<String> known = http.get("/v1/ids?count=2");
            assertProblem(known, 503, "Service Unavailable", "clock is 60001 ms behind");
            assertThat(header(known, "retry-after")).isEqualTo("61");

            generator.refuseAlways(null);
            assertThat(http.get("/v1/id").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void waitsForTheNextTickInsteadOfRefusing() throws Exception {
        FakeGenerator generator = new FakeGenerator(Layout.CLASSIC);
        generator.refuseOnce(GeneratorRefusals.sequenceExhausted(1));
        generator.refuseOnce(GeneratorRefusals.sequenceExhausted(0));
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(generator))) {
            assertThat(http.get("/v1/id").body()).isEqualTo("1");

            generator.refuseOnce(GeneratorRefusals.clockBehind(2));
            assertThat(http.get("/v1/ids?count=2").body()).isEqualTo("{\"ids\":[\"2\",\"3\"]}");
        }
    }

    @Test
    void refusesWhenTheNextTickDoesNotComeWithinATenthOfASecond() throws Exception {
        FakeGenerator generator = new FakeGenerator(Layout.CLASSIC);
        generator.refuseAlways(GeneratorRefusals.sequenceExhausted(1));
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(generator))) {
            assertProblem(http.get("/v1/id"), 503, "Service Unavailable", "the tick has no ids left");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/v1", "/v1/", "/v1/id/", "/v2/id", "/v1/decode"})
    void knowsNoOtherPath(String path) throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            assertProblem(
                    http.get(path),
                    404,
                    "Not Found",
                    "there are /v1/id, /v1/ids?count=N, /v1/workers and /v1/decode/{id}: path=" + path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS"})
    void allowsGetAlone(String method) throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            for (String target : new String[] {"/v1/id", "/v1/ids?count=3", "/v1/workers", "/v1/decode/1"}) {
                HttpResponse<String> reply = http.send(method, target);
                assertProblem(reply, 405, "Method Not Allowed", "only GET is allowed here: method=" + method);
                assertThat(header(reply, "allow")).isEqualTo("GET");
            }
            assertThat(http.send(method, "/nowhere").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void doesNotUseAnIdUpForHead() throws Exception {
        try (ServerFixture http = ServerFixture.of(FakeIds.serving())) {
            HttpResponse<String> reply = http.send("HEAD", "/v1/id");

            assertThat(reply.statusCode()).isEqualTo(405);
            assertThat(header(reply, "allow")).isEqualTo("GET");
            assertThat(reply.body()).isEmpty();
            assertThat(http.get("/v1/id").body()).isEqualTo("1");
        }
    }

    @Test
    void answersABugWithoutItsDetails() throws Exception {
        SlotSource broken = () -> {
            throw new IllegalStateException("secret");
        };
        try (ServerFixture http = ServerFixture.of(FakeIds.serving(), broken, ServerFixture.LIMITS)) {
            assertProblem(
                    http.get("/v1/workers"), 500, "Internal Server Error", "internal error, see the server's log");
        }
    }

    private static void assertProblem(HttpResponse<String> reply, int status, String title, String detail)
            throws IOException {
        assertThat(reply.body())
                .isEqualTo("{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status
                        + ",\"detail\":\"" + detail + "\"}");
        assertThat(reply.statusCode()).isEqualTo(status);
        assertThat(header(reply, "content-type")).isEqualTo("application/problem+json");
        assertThat(header(reply, "cache-control")).isEqualTo("no-store");
    }

    private static String header(HttpResponse<String> reply, String name) {
        return reply.headers().firstValue(name).orElse("");
    }
}
