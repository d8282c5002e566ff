package io.snowlease.registry;

import io.snowlease.registry.protocol.RegistryRecord;
import java.time.Instant;

/** {@code init} found a registry of this namespace; it only creates, and never changes one. */
public final class RegistryExistsException extends RegistryException {
    private static final long serialVersionUID = 1L;

    RegistryExistsException(String namespace, RegistryRecord existing) {
        super(
                "namespace '" + namespace + "' has a registry already (" + existing.registryId() + ", made "
                        + Instant.ofEpochMilli(existing.createdAt()) + "); it was not changed",
                null);
    }
}
