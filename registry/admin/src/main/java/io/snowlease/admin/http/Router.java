package io.snowlease.admin.http;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.snowlease.generator.Clocks;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which route answers which path. All are read-only, but for the ids they use up: hence GET alone, and no HEAD. */
final class Router implements AutoCloseable {
    private final Map<String, Route> byPath;
    private final Route decode;
    private final WorkersRoute workers;

    Router(IdSource ids, SlotSource slots, HttpLimits limits, Clocks clocks) {
        this.workers = new WorkersRoute(slots, limits);
        this.decode = new DecodeRoute(ids);
        this.byPath = Map.of(
                "/v1/id", IdsRoute.one(ids, limits, clocks),
                "/v1/ids", IdsRoute.many(ids, limits, clocks),
                "/v1/workers", workers);
    }

    void answer(HttpMethod method, Exchange exchange) {
        String path = exchange.target().path();
        Route route = route(path);
        if (route == null) {
            exchange.reply(Reply.problem(
                    HttpResponseStatus.NOT_FOUND,
                    "there are /v1/id, /v1/ids?count=N, /v1/workers and /v1/decode/{id}: path=" + Shown.of(path)));
        } else if (!method.equals(HttpMethod.GET)) {
            exchange.reply(Reply.methodNotAllowed(Shown.of(method.name())));
        } else {
            try {
                route.answer(exchange);
            } catch (RefusedRequestException e) {
                exchange.reply(e.reply());
            }
        }
    }

    private @Nullable Route route(String path) {
        Route route = byPath.get(path);
        return route == null && path.startsWith(DecodeRoute.PREFIX) ? decode : route;
    }

    @Override
    public void close() {
        workers.close();
    }
}
