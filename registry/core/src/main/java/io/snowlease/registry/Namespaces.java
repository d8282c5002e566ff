package io.snowlease.registry;

import java.util.regex.Pattern;

/** What a namespace may be called: it becomes part of paths and keys in every store. */
final class Namespaces {
    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private Namespaces() {}

    static String check(String name) {
        if (!VALID.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "must be 1 to 64 letters, digits, '.', '_' or '-', a letter or digit first: namespace=" + name);
        }
        return name;
    }
}
