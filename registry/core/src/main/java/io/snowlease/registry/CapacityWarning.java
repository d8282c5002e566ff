package io.snowlease.registry;

import io.snowlease.registry.RegistryAccess.Opened;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.LeaseStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns well before the last worker id is held. Asked once per lease, at its first renewal, so that a claim pays nothing
 * for it.
 */
final class CapacityWarning {
    private static final Logger LOG = LoggerFactory.getLogger(CapacityWarning.class);

    private final LeaseStore store;

    CapacityWarning(LeaseStore store) {
        this.store = store;
    }

    void check(Opened opened) {
        WorkerRange range = opened.registry().range();
        long skewMillis = opened.registry().skewMillis();
        long held = store.bounds(range.size()).stream()
                .filter(bound -> !bound.released() && opened.now() < bound.until() + skewMillis)
                .count();
        if (LeaseRules.isRunningOut(held, range.size())) {
            LOG.warn(
                    "worker ids are running out: {} of {} ({}) are held on {}; stop nodes that are not needed, or move"
                            + " to a layout with more worker bits",
                    held,
                    range.size(),
                    range,
                    store.servers());
        }
    }
}
