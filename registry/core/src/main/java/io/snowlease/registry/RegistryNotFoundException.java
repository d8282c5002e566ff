package io.snowlease.registry;

/** There is no registry of this namespace on the coordinator, and the call does not make one. */
public final class RegistryNotFoundException extends RegistryException {
    private static final long serialVersionUID = 1L;

    RegistryNotFoundException(String servers, String namespace) {
        super(
                "no registry of namespace '" + namespace + "' on coordinator " + servers
                        + ": make one with 'init', or let the first node make it by connecting",
                null);
    }
}
