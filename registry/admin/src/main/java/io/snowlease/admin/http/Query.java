package io.snowlease.admin.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Query parameters: only those that are known, each once. A misspelt one is an error, not a surprise. */
final class Query {
    private static final Query EMPTY = new Query(Map.of());
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,19}");

    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    static Query parse(String query, List<String> known) throws RefusedRequestException {
        if (query.isEmpty()) {
            return EMPTY;
        }
        Map<String, String> values = new HashMap<>();
        for (int start = 0; start < query.length(); ) {
            int end = query.indexOf('&', start);
            end = end < 0 ? query.length() : end;
            if (end > start) {
                put(values, query.substring(start, end), known);
            }
            start = end + 1;
        }
        return new Query(values);
    }

    private static void put(Map<String, String> values, String parameter, List<String> known)
            throws RefusedRequestException {
        int equals = parameter.indexOf('=');
        String name = PercentDecoder.decode(equals < 0 ? parameter : parameter.substring(0, equals));
        String value = equals < 0 ? "" : PercentDecoder.decode(parameter.substring(equals + 1));
        if (!known.contains(name)) {
            throw RefusedRequestException.badRequest("parameters here are "
                    + (known.isEmpty() ? "none" : String.join(", ", known)) + ", not " + Shown.of(name));
        }
        if (values.put(name, value) != null) {
            throw RefusedRequestException.badRequest("parameters must be given once each: " + name);
        }
    }

    /** The value, or null when the parameter is not there. */
    @Nullable
    String value(String name) {
        return values.get(name);
    }

    /** Reads a decimal number of 64 bits with sign; empty if {@code text} is none. */
    static OptionalLong wholeNumber(String text) {
        if (WHOLE_NUMBER.matcher(text).matches()) {
            try {
                return OptionalLong.of(Long.parseLong(text));
            } catch (NumberFormatException e) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.empty();
    }
}
