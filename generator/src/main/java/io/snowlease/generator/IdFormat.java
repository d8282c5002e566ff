package io.snowlease.generator;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text forms of an id. All are exact: {@code parse(format(id, layout), layout) == id} for every id of every layout.
 *
 * <p>A form that is not named can be told from the text ({@link #detect}) by these rules, of which no two hold at once:
 *
 * <ul>
 *   <li>digits only: decimal, even where base 62 or Crockford's base 32 could have written them. But digits with a
 *       leading zero that are as long as those forms, 11 or 13, are refused: decimal never writes them, and the others
 *       do;
 *   <li>a {@code .}: readable;
 *   <li>11 letters and digits: base 62;
 *   <li>13 characters of Crockford's, hyphens not counted: Crockford's base 32.
 * </ul>
 *
 * <p>So whoever stores ids in base 62 or in base 32 names the form: of the texts in those forms, a few consist of digits
 * only.
 */
public enum IdFormat {
    /** {@code 253183340713111594}: decimal digits. */
    DECIMAL("decimal") {
        @Override
        String write(long id, Layout layout) {
            return Long.toString(id);
        }

        @Override
        long read(String text, Layout layout) {
            if (!DIGITS.matcher(text).matches()) {
                throw unreadable("a decimal id must be decimal digits only", text);
            }
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                if (text.startsWith("-")) {
                    throw new IllegalArgumentException("id must not be negative: id=" + shown(text), e);
                }
                throw (NumberFormatException) unreadable("a decimal id must be at most " + Long.MAX_VALUE, text)
                        .initCause(e);
            }
        }
    },

    /**
     * {@code 0Iha6h1Iqa2}: 11 digits of base 62, {@code 0-9}, {@code A-Z}, {@code a-z} in this order. Byte-wise text
     * order is id order; case counts, so it is nothing for collations that ignore it.
     */
    BASE62("base62") {
        @Override
        String write(long id, Layout layout) {
            return RadixText.BASE62.format(id);
        }

        @Override
        long read(String text, Layout layout) {
            return RadixText.BASE62.parse(text);
        }
    },

    /**
     * {@code 070VWX0Q40W1A}: 13 digits of <a href="https://www.crockford.com/base32.html">Crockford's base 32</a>, upper
     * case, without its check symbol. Text order is id order. Reads lower case, {@code I} and {@code L} for 1, {@code O}
     * for 0, and single hyphens between digits.
     */
    CROCKFORD32("crockford32") {
        @Override
        String write(long id, Layout layout) {
            return RadixText.CROCKFORD32.format(id);
        }

        @Override
        long read(String text, Layout layout) {
            return RadixText.CROCKFORD32.parse(text);
        }
    },

    /**
     * {@code 20261130T154012.345Z-7-42}: start of the id's tick in UTC, to the ms whatever the tick; worker id; sequence;
     * and, in layouts with shard bits, {@code -} and the shard. Years from 10000 on have more digits. Text order is not
     * id order.
     */
    READABLE("readable") {
        @Override
        String write(long id, Layout layout) {
            return ReadableText.format(id, layout);
        }

        @Override
        long read(String text, Layout layout) {
            return ReadableText.parse(text, layout);
        }
    };

    private static final Pattern DIGITS = Pattern.compile("-?[0-9]+");
    private static final int MAX_SHOWN = 64;

    private final String label;

    IdFormat(String label) {
        this.label = label;
    }

    abstract String write(long id, Layout layout);

    abstract long read(String text, Layout layout);

    /**
     * The id as text.
     *
     * @throws IllegalArgumentException if the id is negative or has more bits than the layout
     */
    public String format(long id, Layout layout) {
        IdBits.requireId(layout, id);
        return write(id, layout);
    }

    /**
     * Reads an id that is in this form.
     *
     * @throws NumberFormatException if the text is not in this form, or stands for more than 2^63 − 1
     * @throws IllegalArgumentException if what it says is no id of the layout: a negative number, more bits than the
     *     layout has, a time outside the layout's or not at the start of a tick, a part that does not fit its bits
     */
    public long parse(String text, Layout layout) {
        long id = read(text, layout);
        IdBits.requireId(layout, id);
        return id;
    }

    /**
     * Reads an id in the form that {@link #detect} tells from the text.
     *
     * @throws NumberFormatException as {@link #detect} and {@link #parse}
     * @throws IllegalArgumentException as {@link #parse}
     */
    public static long parseAny(String text, Layout layout) {
        return detect(text).parse(text, layout);
    }

    /**
     * Tells the form of a text by the rules above. That does not make it an id of a given layout, which {@link #parse}
     * checks.
     *
     * @throws NumberFormatException if it is in no form, or could be in more than one
     */
    public static IdFormat detect(String text) {
        if (DIGITS.matcher(text).matches()) {
            requireUnambiguous(text);
            return DECIMAL;
        }
        if (text.indexOf('.') >= 0) {
            return READABLE;
        }
        if (RadixText.BASE62.isFormOf(text)) {
            return BASE62;
        }
        if (RadixText.CROCKFORD32.isFormOf(text)) {
            return CROCKFORD32;
        }
        throw unreadable(
                "an id must be decimal digits, 11 letters and digits (base62), 13 letters and digits without U"
                        + " (crockford32), or readable, such as " + ReadableText.EXAMPLE,
                text);
    }

    private static void requireUnambiguous(String digits) {
        if (digits.startsWith("0")) {
            for (RadixText other : new RadixText[] {RadixText.BASE62, RadixText.CROCKFORD32}) {
                if (other.isFormOf(digits)) {
                    throw unreadable(
                            "the format must be named for " + digits.length()
                                    + " digits with a leading zero, which are decimal or " + other,
                            digits);
                }
            }
        }
    }

    /**
     * The form of this name: {@code decimal}, {@code base62}, {@code crockford32} or {@code readable}, in any case.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static IdFormat named(String name) {
        for (IdFormat format : values()) {
            if (format.label.equals(name.toLowerCase(Locale.ROOT))) {
                return format;
            }
        }
        throw new IllegalArgumentException(Arrays.stream(values())
                        .map(IdFormat::toString)
                        .collect(Collectors.joining(", ", "format must be one of ", ""))
                + ": format=" + shown(name));
    }

    /** The name that {@link #named} reads. */
    @Override
    public String toString() {
        return label;
    }

    static NumberFormatException unreadable(String rule, String text) {
        return new NumberFormatException(rule + ": id=" + shown(text));
    }

    private static String shown(String input) {
        return input.length() <= MAX_SHOWN ? input : input.substring(0, MAX_SHOWN) + "…";
    }
}
