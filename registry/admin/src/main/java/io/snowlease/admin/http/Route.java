package io.snowlease.admin.http;

/** Answers the requests of one path. */
@FunctionalInterface
interface Route {
    /**
     * Answers {@code exchange}, now or later; on its event loop, so it must not block.
     *
     * @throws RefusedRequestException if the request is wrong
     */
    void answer(Exchange exchange) throws RefusedRequestException;
}
