/**
 * Ids over HTTP/1.1, on Netty, HttpServer first. Requests are answered on the event loop of their connection, in the
 * order they came; only what asks the coordinator runs elsewhere. A connection can't hold the server up: URI, header,
 * body, read time, idle time and the number of connections are limited, see HttpLimits.
 *
 * <p>Not here yet: authentication and TLS. The server listens on the loopback address unless told otherwise.
 */
package io.snowlease.admin.http;
