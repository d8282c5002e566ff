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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Grants that may have been made, or may yet be, although nobody waits for them any more. No id is ever issued from one.
 * One that shows up is given back; one that does not is overtaken: the slot is written as if it had been granted and
 * given back, so that the grant, when it arrives, finds another record than it was planned on. What the coordinator
 * can't be asked about is forgotten once it would have expired.
 */
final class Orphans {
    private final LeaseStore store;
    private final Exchange exchange;
    private final Deque<Orphan> pending = new ArrayDeque<>();

    private record Orphan(
            HeldBound grant, SlotRecord next, @Nullable SlotRecord before) {}

    Orphans(LeaseStore store, Exchange exchange) {
        this.store = store;
        this.exchange = exchange;
    }

    /** {@code next} may have been written over {@code before}. */
    void add(HeldBound grant, SlotRecord next, @Nullable SlotRecord before) {
        pending.add(new Orphan(grant, next, before));
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Gives each back once; keeps those that changed meanwhile for the next time. */
    void release(Opened opened) {
        for (int left = pending.size(); left > 0; left--) {
            Orphan orphan = pending.element();
            boolean isOver = opened.now() >= orphan.grant().until()
                    || !opened.registry().registryId().equals(orphan.grant().registryId());
            if (!isOver) {
                try {
                    isOver = release(opened, orphan);
                } catch (MalformedRecordException e) {
                    // Of use to nobody until it is put right; no reason to let a lease in use run out.
                }
            }
            pending.remove();
            if (!isOver) {
                pending.add(orphan);
            }
        }
    }

    private boolean release(Opened opened, Orphan orphan) {
        StoredSlot slot = store.read(orphan.grant().worker());
        SlotRecord found = Objects.equals(slot.record(), orphan.before()) ? orphan.next() : slot.record();
        SlotRecord released = opened.rules().release(found, orphan.grant(), Long.MIN_VALUE, opened.now());
        return released == null || exchange.write(opened.view(), slot, released, Long.MAX_VALUE) == WriteResult.WRITTEN;
    }
}
