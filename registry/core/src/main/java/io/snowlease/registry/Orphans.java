package io.snowlease.registry;

import io.snowlease.registry.RegistryAccess.Opened;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Grants that may have been made although nobody waits for them any more. No id is ever issued from one; it is given
 * back when it shows up, and forgotten once it would have expired.
 */
final class Orphans {
    private final LeaseStore store;
    private final Exchange exchange;
    private final Deque<HeldBound> pending = new ArrayDeque<>();

    Orphans(LeaseStore store, Exchange exchange) {
        this.store = store;
        this.exchange = exchange;
    }

    void add(HeldBound grant) {
        pending.add(grant);
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Looks for each once, gives back what it finds, keeps the rest for the next time. */
    void releaseFound(Opened opened) {
        for (int left = pending.size(); left > 0; left--) {
            HeldBound orphan = pending.element();
            boolean given = false;
            try {
                StoredSlot slot = store.read(orphan.worker());
                SlotRecord released = opened.rules().release(slot.record(), orphan, Long.MIN_VALUE, opened.now());
                given = released != null
                        && exchange.write(opened.view(), slot, released, Long.MAX_VALUE) == WriteResult.WRITTEN;
            } catch (MalformedRecordException e) {
                // Of use to nobody until it is put right; no reason to let a lease in use run out.
            }
            pending.remove();
            if (!given && opened.now() < orphan.until()) {
                pending.add(orphan);
            }
        }
    }
}
