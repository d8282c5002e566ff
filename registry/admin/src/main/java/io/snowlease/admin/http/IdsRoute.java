package io.snowlease.admin.http;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerator;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code GET /v1/id[?key=N]}: one id as decimal text; {@code GET /v1/ids?count=3[&key=N]}: a batch as JSON, in
 * strings.
 */
final class IdsRoute implements Route {
    private static final int MAX_COUNT = 10_000;

    private final IdSource ids;
    private final boolean batch;
    private final List<String> parameters;
    private final Duration timeout;
    private final Clocks clocks;

    private IdsRoute(IdSource ids, boolean batch, Duration timeout, Clocks clocks) {
        this.ids = ids;
        this.batch = batch;
        this.parameters = batch ? List.of("count", "key") : List.of("key");
        this.timeout = timeout;
        this.clocks = clocks;
    }

    static Route one(IdSource ids, HttpLimits limits, Clocks clocks) {
        return new IdsRoute(ids, false, limits.idsTimeout(), clocks);
    }

    static Route many(IdSource ids, HttpLimits limits, Clocks clocks) {
        return new IdsRoute(ids, true, limits.idsTimeout(), clocks);
    }

    @Override
    public void answer(Exchange exchange) throws RefusedRequestException {
        Query query = Query.parse(exchange.target().query(), parameters);
        int count = batch ? count(query) : 1;
        ServiceState state = ids.state();
        if (state instanceof ServiceState.Waiting waiting) {
            exchange.reply(Reply.unavailable(waiting.reason(), waiting.retryAfterMillis()));
        } else if (state instanceof ServiceState.Serving serving) {
            IdGenerator generator = serving.generator();
            OptionalLong key = ShardKeys.read(query, generator.layout());
            new IdClaim(exchange, generator, key, count, timeout, clocks, batch ? IdsRoute::json : IdsRoute::text)
                    .start();
        }
    }

    private static int count(Query query) throws RefusedRequestException {
        String text = query.value("count");
        if (text == null) {
            throw RefusedRequestException.badRequest(
                    "count must be given, 1 to " + MAX_COUNT + ", such as /v1/ids?count=3");
        }
        long count = Query.wholeNumber(text).orElse(0);
        if (count < 1 || count > MAX_COUNT) {
            throw RefusedRequestException.badRequest("count must be 1 to " + MAX_COUNT + ": count=" + Shown.of(text));
        }
        return (int) count;
    }

    private static Reply text(long[] ids) {
        return Reply.text(Long.toString(ids[0]));
    }

    private static Reply json(long[] ids) {
        StringBuilder json = new StringBuilder(ids.length * 22 + 10).append("{\"ids\":[");
        for (int i = 0; i < ids.length; i++) {
            json.append(i == 0 ? "\"" : ",\"").append(ids[i]).append('"');
        }
        return Reply.json(json.append("]}").toString());
    }
}
