package io.snowlease.registry;

/** This node states a layout, lease duration, skew or range that is not the registry's (I8). */
public final class RegistryMismatchException extends RegistryException {
    private static final long serialVersionUID = 1L;

    RegistryMismatchException(String field, Object stored, Object stated) {
        super(
                "must equal the registry's: " + field + "=" + stated + ", the registry has " + field + "=" + stored
                        + "; leave it out to adopt the registry's, or use another namespace",
                null);
    }
}
