package io.snowlease.admin.http;

import io.snowlease.registry.SlotInfo;
import java.util.List;

/** Reads the slots from the coordinator. Thread-safe; blocks for a bounded time. */
@FunctionalInterface
public interface SlotSource {
    /**
     * All slots by worker id.
     *
     * @throws io.snowlease.registry.RegistryException if they can't be read
     * @throws NoCoordinatorException if there is none
     * @throws io.snowlease.registry.spi.StoreUnavailableException if the coordinator isn't connected to yet
     */
    List<SlotInfo> slots();
}
