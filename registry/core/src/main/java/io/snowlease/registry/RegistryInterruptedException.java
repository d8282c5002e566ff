package io.snowlease.registry;

/** The calling thread was interrupted while it waited; its interrupt flag is set again. */
public final class RegistryInterruptedException extends RegistryException {
    private static final long serialVersionUID = 1L;

    RegistryInterruptedException(String during) {
        super("interrupted " + during + "; nothing is held by it", null);
    }
}
