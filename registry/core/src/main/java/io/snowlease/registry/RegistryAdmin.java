package io.snowlease.registry;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import java.util.List;
import java.util.Optional;

/** Looks at a namespace's registry, and makes one, without leasing anything. Thread-safe. */
public interface RegistryAdmin extends AutoCloseable {
    /** The registry record, or empty when there is no registry. */
    Optional<RegistryRecord> registry();

    /**
     * All slots by worker id.
     *
     * @throws RegistryNotFoundException if there is no registry
     */
    List<SlotInfo> slots();

    /** Coordinator's time, ms since 1970. */
    long coordinatorMillis();

    /**
     * Makes the registry; never changes one.
     *
     * @param neverUsed the operator's word that no id was ever issued in this namespace: usable at once
     * @param floorMillis no timestamp below this is ever issued, ms since 1970; 0 for none
     * @return the registry as stored
     * @throws RegistryExistsException if there is one
     * @throws ClockSkewException if this node's clock is too far from the coordinator's to date a quarantine
     */
    RegistryRecord init(RegistrySettings settings, boolean neverUsed, long floorMillis);

    /** The coordinator's servers, for messages. */
    String servers();

    @Override
    void close();
}
