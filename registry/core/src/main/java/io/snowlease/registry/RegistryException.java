package io.snowlease.registry;

import org.jspecify.annotations.Nullable;

/**
 * The registry refuses, or can't be asked. The message says what is wrong, by how much, and what to do; it holds no
 * secret. Nothing was lost by it.
 */
public abstract class RegistryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RegistryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
