package io.snowlease.admin.http;

import java.time.Duration;

/**
 * What one client can take of the server.
 *
 * @param maxUriBytes longest request target; more is answered 414
 * @param maxHeaderBytes all header fields of a request together; more is answered 431
 * @param maxConnections open connections; one more is answered 503 and closed
 * @param idleTimeout a connection without a request under way is closed after this
 * @param readTimeout a request's line and header fields must have arrived within this, else 408
 * @param idsTimeout longest time that one {@code /v1/ids} request may take
 * @param coordinatorTimeout longest time that a request may wait for the coordinator
 */
public record HttpLimits(
        int maxUriBytes,
        int maxHeaderBytes,
        int maxConnections,
        Duration idleTimeout,
        Duration readTimeout,
        Duration idsTimeout,
        Duration coordinatorTimeout) {

    /** 4 KiB, 8 KiB, 1,024 connections, 60 s, 10 s, 5 s, 10 s. */
    public static final HttpLimits DEFAULTS = new HttpLimits(
            4 << 10,
            8 << 10,
            1_024,
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10));

    /** These, with another number of connections. */
    public HttpLimits withMaxConnections(int connections) {
        return new HttpLimits(
                maxUriBytes, maxHeaderBytes, connections, idleTimeout, readTimeout, idsTimeout, coordinatorTimeout);
    }
}
