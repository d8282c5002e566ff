package io.snowlease.admin.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.snowlease.admin.view.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * An answer, before it is written. Immutable. None is ever cached: an id that comes out of a cache is a duplicate, and
 * a refusal out of one outlives its reason.
 *
 * @param status status
 * @param type media type of the body
 * @param body the body
 * @param retryAfterSeconds {@code Retry-After}; 0 for none
 * @param allow {@code Allow}; null for none
 * @param closes whether the connection can't be used any more
 */
record Reply(
        HttpResponseStatus status,
        AsciiString type,
        String body,
        long retryAfterSeconds,
        @Nullable AsciiString allow,
        boolean closes) {

    private static final AsciiString TEXT = AsciiString.cached("text/plain; charset=utf-8");
    private static final AsciiString JSON = AsciiString.cached("application/json");
    private static final AsciiString PROBLEM = AsciiString.cached("application/problem+json");
    private static final AsciiString GET = AsciiString.cached("GET");

    static Reply text(String body) {
        return new Reply(HttpResponseStatus.OK, TEXT, body, 0, null, false);
    }

    static Reply json(String body) {
        return new Reply(HttpResponseStatus.OK, JSON, body, 0, null, false);
    }

    /** An error as RFC 9457 has it. */
    static Reply problem(HttpResponseStatus status, String detail) {
        String body = JsonText.of(json -> {
            json.writeStartObject();
            json.writeStringField("type", "about:blank");
            json.writeStringField("title", status.reasonPhrase());
            json.writeNumberField("status", status.code());
            json.writeStringField("detail", detail);
            json.writeEndObject();
        });
        return new Reply(status, PROBLEM, body, 0, null, false);
    }

    static Reply badRequest(String detail) {
        return problem(HttpResponseStatus.BAD_REQUEST, detail);
    }

    /** 503; {@code retryAfterMillis} below 0 means that nobody knows, and asks for a second's patience. */
    static Reply unavailable(String detail, long retryAfterMillis) {
        Reply reply = problem(HttpResponseStatus.SERVICE_UNAVAILABLE, detail);
        long seconds = Math.max(1, (retryAfterMillis + 999) / 1_000);
        return new Reply(reply.status, reply.type, reply.body, seconds, null, false);
    }

    static Reply methodNotAllowed(String method) {
        Reply reply = problem(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET is allowed here: method=" + method);
        return new Reply(reply.status, reply.type, reply.body, 0, GET, false);
    }

    /** The same, as the last one of its connection. */
    Reply closing() {
        return new Reply(status, type, body, retryAfterSeconds, allow, true);
    }
}
