package io.snowlease.registry;

import io.snowlease.registry.spi.StoreUnavailableException;

/**
 * The coordinator can't be opened as asked, and waiting would not help: an embedded one whose port is taken, or whose
 * folder can't be used. The message says what to do.
 */
public final class CoordinatorSetupException extends RegistryException {
    private static final long serialVersionUID = 1L;

    CoordinatorSetupException(StoreUnavailableException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
