package io.snowlease.registry.spi;

import org.jspecify.annotations.Nullable;

/**
 * The coordinator answers, and refuses this node: credentials or certificates are missing or wrong. Waiting alone does
 * not help, so a start ends with it at once; a lease that is held is tried again until its bound, as an operator may
 * yet put the rights straight.
 */
public final class StoreAccessException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    /** {@code message} says what is refused and how to get access, and holds no secret. */
    public StoreAccessException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
