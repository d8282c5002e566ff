package io.snowlease.registry.spi;

import org.jspecify.annotations.Nullable;

/**
 * What is stored is not a record of ours: garbage, a field missing or of another type. Nothing is guessed; an operator
 * has to look at the place that the message names.
 */
public final class MalformedRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** {@code message} names the place and the field, and no token. */
    public MalformedRecordException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
