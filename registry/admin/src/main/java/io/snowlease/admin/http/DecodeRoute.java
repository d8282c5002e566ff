package io.snowlease.admin.http;

import io.snowlease.admin.view.DecodedIdView;
import io.snowlease.generator.IdFormat;
import io.snowlease.generator.Layout;
import java.util.List;
import java.util.Optional;

/**
 * {@code GET /v1/decode/{id}[?format=F]}: the parts of an id. {@code format} is the form that it is in, for where that
 * can't be told from it.
 */
final class DecodeRoute implements Route {
    static final String PREFIX = "/v1/decode/";

    private final IdSource ids;

    DecodeRoute(IdSource ids) {
        this.ids = ids;
    }

    @Override
    public void answer(Exchange exchange) throws RefusedRequestException {
        Query query = Query.parse(exchange.target().query(), List.of(FormatParameter.NAME));
        Optional<IdFormat> named = FormatParameter.read(query);
        String text = exchange.target().path().substring(PREFIX.length());
        IdFormat format = named.isPresent() ? named.get() : detected(text);
        Optional<Layout> layout = ids.layout();
        if (layout.isEmpty()) {
            exchange.reply(Reply.unavailable(
                    "the layout is not known until the registry has been read: " + reason(ids.state()), -1));
            return;
        }
        try {
            exchange.reply(Reply.json(DecodedIdView.json(layout.get(), format.parse(text, layout.get()))));
        } catch (IllegalArgumentException e) {
            throw RefusedRequestException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static IdFormat detected(String text) throws RefusedRequestException {
        try {
            return IdFormat.detect(text);
        } catch (NumberFormatException e) {
            throw RefusedRequestException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static String reason(ServiceState state) {
        return state instanceof ServiceState.Waiting waiting ? waiting.reason() : "try again";
    }
}
