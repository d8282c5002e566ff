package io.snowlease.registry;

import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;

/**
 * A write whose outcome is known. When the reply is lost, the slot is read back: holding what was written, the write
 * happened; holding something new, it never can (the whole record is compared). Still holding what was there before, it
 * may yet happen, and that is an error.
 */
final class Exchange {
    private final LeaseStore store;

    Exchange(LeaseStore store) {
        this.store = store;
    }

    /**
     * Writes, and reads back if it must.
     *
     * @throws StoreUnavailableException if it stays unclear whether the write happened or will happen
     */
    WriteResult write(RegistryView plannedOn, StoredSlot expected, SlotRecord next, long beforeMillis) {
        try {
            return store.write(plannedOn, expected, next, beforeMillis);
        } catch (StoreUnavailableException lost) {
            SlotRecord found;
            try {
                found = store.read(expected.worker()).record();
            } catch (StoreUnavailableException alsoLost) {
                lost.addSuppressed(alsoLost);
                throw lost;
            }
            if (next.equals(found)) {
                return WriteResult.WRITTEN;
            }
            if (found == null ? expected.record() == null : found.equals(expected.record())) {
                throw lost;
            }
            return WriteResult.SLOT_CHANGED;
        }
    }
}
