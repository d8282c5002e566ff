package io.snowlease.admin.http;

import io.snowlease.generator.IdFormat;
import java.util.Optional;

/** The {@code format} parameter: how an id is written. */
final class FormatParameter {
    static final String NAME = "format";

    private FormatParameter() {}

    /** The form it names; empty when it was left out. */
    static Optional<IdFormat> read(Query query) throws RefusedRequestException {
        String name = query.value(NAME);
        if (name == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(IdFormat.named(name));
        } catch (IllegalArgumentException e) {
            throw RefusedRequestException.badRequest(String.valueOf(e.getMessage()));
        }
    }
}
