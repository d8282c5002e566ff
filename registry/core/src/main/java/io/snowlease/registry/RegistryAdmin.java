package io.snowlease.registry;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.Finding;
import java.util.List;
import java.util.Optional;

/** Looks at a namespace's registry, makes one, and does what operators do, without leasing anything. Thread-safe. */
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
     * @throws CoordinatorUnavailableException if no answer came in time, or, within the start timeout, none within S
     */
    RegistryRecord init(RegistrySettings settings, boolean neverUsed, long floorMillis);

    /**
     * Takes a worker id from its holder, who is fenced at its next renewal and moves to another. No id becomes invalid,
     * and none can be issued twice: the bound stays where it is, and the slot is free once the coordinator's time has
     * passed it by S.
     *
     * @return the slot, evicted
     * @throws RegistryNotFoundException if there is no registry
     * @throws NoSuchWorkerException if the registry does not hand out this worker id
     * @throws WorkerNotHeldException if nobody holds it, or another took it meanwhile
     * @throws RegistryContendedException if others were faster time and again
     * @throws OutcomeUnclearException if it is not known whether it happened
     * @throws ClockSkewException if the coordinator may have lost data, and this node's clock is too far from its to
     *     date the quarantine which that needs first
     */
    SlotInfo evict(int worker);

    /**
     * As {@link #evict(int)}, but only the lease that {@code shown} shows: one that has come after it stays, and is a
     * {@link WorkerNotHeldException}.
     */
    SlotInfo evict(SlotInfo shown);

    /**
     * Lets no new lease start for D + 2S (+ L) from now: for an operator who has restored a backup, before nodes
     * connect. Holders go on to the bound they know. A quarantine that lasts longer is left as it is.
     *
     * @return the registry with its quarantine, as stored
     * @throws RegistryNotFoundException if there is no registry
     * @throws ClockSkewException if this node's clock is too far from the coordinator's to date a quarantine
     * @throws RegistryContendedException if others were faster time and again
     * @throws OutcomeUnclearException if it is not known whether it happened
     */
    RegistryRecord quarantine();

    /**
     * Looks at all of it; makes nothing, and changes no record. Asks several times, each within the call timeout.
     *
     * @throws CoordinatorUnavailableException if it does not answer
     */
    Examination examine();

    /**
     * What the store finds of its own servers: how durable they are, which of them answer. Only reads, and does not throw
     * if nobody answers.
     */
    List<Finding> storeFindings();

    /** The coordinator's servers, for messages. */
    String servers();

    @Override
    void close();
}
