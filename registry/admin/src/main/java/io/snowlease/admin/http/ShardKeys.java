package io.snowlease.admin.http;

import io.snowlease.generator.Layout;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The {@code key} parameter: needed by layouts with shard bits, refused by the others. */
final class ShardKeys {
    private ShardKeys() {}

    static OptionalLong read(Query query, Layout layout) throws RefusedRequestException {
        @Nullable String text = query.value("key");
        if (layout.shardBits() == 0) {
            if (text != null) {
                throw RefusedRequestException.badRequest(
                        "key must be left out: the layout " + layout + " has no shard bits");
            }
            return OptionalLong.empty();
        }
        if (text == null) {
            throw RefusedRequestException.badRequest("key must be given: the layout " + layout + " has "
                    + layout.shardBits() + " shard bits, such as /v1/id?key=7");
        }
        OptionalLong key = Query.wholeNumber(text);
        if (key.isEmpty()) {
            throw RefusedRequestException.badRequest(
                    "key must be a whole number of at most 64 bits: key=" + Shown.of(text));
        }
        return key;
    }
}
