package io.snowlease.admin.http;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdFormat;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * {@code GET /v1/id[?key=N&format=F]}: one id as text; {@code GET /v1/ids?count=3[&key=N&format=F]}: a batch as JSON, in
 * strings. In decimal, unless another form is asked for.
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
        this.parameters = batch ? List.of("count", "key", FormatParameter.NAME) : List.of("key", FormatParameter.NAME);
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
        IdFormat format = FormatParameter.read(query).orElse(IdFormat.DECIMAL);
        ServiceState state = ids.state();
        if (state instanceof ServiceState.Waiting waiting) {
            exchange.reply(Reply.unavailable(waiting.reason(), waiting.retryAfterMillis()));
        } else if (state instanceof ServiceState.Serving serving) {
            IdGenerator generator = serving.generator();
            Layout layout = generator.layout();
            OptionalLong key = ShardKeys.read(query, layout);
            Function<long[], Reply> render =
                    batch ? claimed -> json(claimed, format, layout) : claimed -> text(claimed, format, layout);
            new IdClaim(exchange, generator, key, count, timeout, clocks, render).start();
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

    private static Reply text(long[] ids, IdFormat format, Layout layout) {
        return Reply.text(format.format(ids[0], layout));
    }

    private static Reply json(long[] ids, IdFormat format, Layout layout) {
        StringBuilder json = new StringBuilder(ids.length * 22 + 10).append("{\"ids\":[");
        for (int i = 0; i < ids.length; i++) {
            json.append(i == 0 ? "\"" : ",\"")
                    .append(format.format(ids[i], layout))
                    .append('"');
        }
        return Reply.json(json.append("]}").toString());
    }
}
