package io.snowlease.registry;

/** A record was changed by others each time before this change of it could be written; nothing was changed by it. */
public final class RegistryContendedException extends RegistryException {
    private static final long serialVersionUID = 1L;

    RegistryContendedException(String record, int rounds, String servers) {
        super(
                record + " on coordinator " + servers + " was changed by others " + rounds
                        + " times before this could be written; nothing was done, try again",
                null);
    }
}
