package io.snowlease.generator;

/** The timestamp is past the last one that the layout's bits can express. */
public final class LayoutExhaustedException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    LayoutExhaustedException(String message) {
        super(RefusalReason.LAYOUT_EXHAUSTED, message, -1);
    }
}
