package io.snowlease.admin.http;

import io.snowlease.admin.view.DecodedIdView;
import io.snowlease.generator.Layout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** {@code GET /v1/decode/{id}}: the parts of an id. */
final class DecodeRoute implements Route {
    static final String PREFIX = "/v1/decode/";

    private final IdSource ids;

    DecodeRoute(IdSource ids) {
        this.ids = ids;
    }

    @Override
    public void answer(Exchange exchange) throws RefusedRequestException {
        Query.parse(exchange.target().query(), List.of());
        String text = exchange.target().path().substring(PREFIX.length());
        OptionalLong id = Query.wholeNumber(text);
        if (id.isEmpty()) {
            throw RefusedRequestException.badRequest(
                    "id must be a whole number of at most 63 bits: id=" + Shown.of(text));
        }
        Optional<Layout> layout = ids.layout();
        if (layout.isEmpty()) {
            exchange.reply(Reply.unavailable(
                    "the layout is not known until the registry has been read: " + reason(ids.state()), -1));
            return;
        }
        try {
            exchange.reply(Reply.json(DecodedIdView.json(layout.get(), id.getAsLong())));
        } catch (IllegalArgumentException e) {
            throw RefusedRequestException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static String reason(ServiceState state) {
        return state instanceof ServiceState.Waiting waiting ? waiting.reason() : "try again";
    }
}
