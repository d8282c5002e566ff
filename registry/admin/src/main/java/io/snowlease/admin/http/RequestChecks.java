package io.snowlease.admin.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import org.jspecify.annotations.Nullable;

/** What HTTP itself, or our limits, forbid; the reply closes the connection where its next bytes can't be trusted. */
final class RequestChecks {
    private final HttpLimits limits;

    RequestChecks(HttpLimits limits) {
        this.limits = limits;
    }

    /** The refusal, or null when there is nothing to refuse. */
    @Nullable
    Reply refusal(HttpRequest request) {
        Throwable malformed = request.decoderResult().cause();
        if (malformed != null) {
            return malformed(malformed).closing();
        }
        if (request.protocolVersion().majorVersion() != 1) {
            return Reply.problem(
                            HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED,
                            "only HTTP/1.0 and HTTP/1.1 are served: " + request.protocolVersion())
                    .closing();
        }
        if (request.uri().length() > limits.maxUriBytes()) {
            return uriTooLong();
        }
        if (request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && request.headers().getAll(HttpHeaderNames.HOST).size() != 1) {
            return Reply.badRequest("an HTTP/1.1 request must have one Host field")
                    .closing();
        }
        return hasBody(request)
                ? Reply.problem(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "a request must have no body")
                        .closing()
                : null;
    }

    private static boolean hasBody(HttpRequest request) {
        if (request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)) {
            return true;
        }
        String length = request.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        return length != null && !length.equals("0");
    }

    private Reply malformed(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return uriTooLong();
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return Reply.problem(
                    HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    "header fields must be at most " + limits.maxHeaderBytes() + " bytes in all");
        }
        return Reply.badRequest("the request is not HTTP/1.1: " + Shown.of(String.valueOf(cause.getMessage())));
    }

    private Reply uriTooLong() {
        return Reply.problem(
                HttpResponseStatus.REQUEST_URI_TOO_LONG,
                "the request target must be at most " + limits.maxUriBytes() + " bytes");
    }
}
