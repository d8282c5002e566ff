package io.snowlease.registry.spi;

import org.jspecify.annotations.Nullable;

/**
 * The coordinator did not answer in time. A read changed nothing; a write may have happened or may yet happen, and has
 * to be read back.
 */
public sealed class StoreUnavailableException extends RuntimeException
        permits SlowAnswerException, StoreAccessException {
    private static final long serialVersionUID = 1L;

    /** {@code message} names the servers and what was tried, and no secret. */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
