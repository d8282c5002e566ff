package io.snowlease.generator;

import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Ids in as many digits as the largest needs, digits that ASCII has in ascending order: text order is id order. */
final class RadixText {
    static final RadixText BASE62 = new RadixText(
            "base62",
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            11,
            Pattern.compile("[0-9A-Za-z]{11}"),
            "11 characters of 0-9, A-Z and a-z",
            UnaryOperator.identity());

    static final RadixText CROCKFORD32 = new RadixText(
            "crockford32",
            "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
            13,
            Pattern.compile("[0-9A-TV-Za-tv-z](?:-?[0-9A-TV-Za-tv-z]){12}"),
            "13 characters of 0-9 and A-Z without U, single hyphens between them allowed",
            text -> text.replace("-", "")
                    .toUpperCase(Locale.ROOT)
                    .replace('I', '1')
                    .replace('L', '1')
                    .replace('O', '0'));

    private final String name;
    private final String digits;
    private final int width;
    private final Pattern form;
    private final String rule;
    private final UnaryOperator<String> canonical;
    private final String largest;

    private RadixText(
            String name, String digits, int width, Pattern form, String rule, UnaryOperator<String> canonical) {
        this.name = name;
        this.digits = digits;
        this.width = width;
        this.form = form;
        this.rule = rule;
        this.canonical = canonical;
        this.largest = format(Long.MAX_VALUE);
    }

    String format(long id) {
        char[] text = new char[width];
        long rest = id;
        for (int i = width - 1; i >= 0; i--) {
            text[i] = digits.charAt((int) (rest % digits.length()));
            rest /= digits.length();
        }
        return new String(text);
    }

    /** Whether the text is in this form, be it too large or not. */
    boolean isFormOf(String text) {
        return form.matcher(text).matches();
    }

    long parse(String text) {
        if (!isFormOf(text)) {
            throw IdFormat.unreadable("a " + name + " id must be " + rule, text);
        }
        String written = canonical.apply(text);
        if (written.compareTo(largest) > 0) {
            throw IdFormat.unreadable("a " + name + " id must be at most " + largest + ", 2^63 - 1", text);
        }
        long id = 0;
        for (int i = 0; i < width; i++) {
            id = id * digits.length() + digits.indexOf(written.charAt(i));
        }
        return id;
    }

    @Override
    public String toString() {
        return name;
    }
}
