package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;

/**
 * A look at the coordinator, and this node's time then: the reading between request and reply that is nearest to the
 * coordinator's time, so that a slow reply, or a pause before it is read, is not taken for a wrong clock.
 *
 * @param view what was read
 * @param local this node's time, ms since 1970
 */
record Look(RegistryView view, long local) {
    static Look at(LeaseStore store, Clocks clocks) {
        long before = clocks.wallMillis();
        RegistryView view = store.view();
        long after = clocks.wallMillis();
        // A clock that was set back meanwhile leaves nothing in between: the later reading counts.
        return new Look(view, before > after ? after : Math.max(before, Math.min(view.now(), after)));
    }
}
