package io.snowlease.registry;

import io.snowlease.registry.spi.StoreAccessException;

/**
 * The coordinator refuses this node: credentials or certificates are missing or wrong. Thrown at once, as waiting would
 * not help. The message says what is refused and how to get access.
 */
public final class CoordinatorAccessException extends RegistryException {
    private static final long serialVersionUID = 1L;

    CoordinatorAccessException(StoreAccessException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
