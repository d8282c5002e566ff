package io.snowlease.registry.spi;

import java.util.List;
import java.util.Optional;

/**
 * What one round of a claim may take, asked for in this order and by one thread: the slots that its node had, a slot
 * that was never leased, those that are free. All of it may be outdated; {@link LeaseStore#write} decides. A store for
 * which each question is a round trip may answer several of them at once.
 */
public interface Candidates {
    /** As {@link LeaseStore#workersOf}, of the claiming node. */
    List<Integer> own();

    /** As {@link LeaseStore#nextNeverUsed}; again and again. */
    Optional<StoredSlot> nextNeverUsed();

    /** As {@link LeaseStore#bounds}. */
    List<SlotBound> bounds(int limit);

    /** As {@link LeaseStore#read}. */
    StoredSlot read(int worker);

    /** Each question asked when it comes up. */
    static Candidates oneByOne(LeaseStore store, RegistryView view, String node) {
        return new Candidates() {
            @Override
            public List<Integer> own() {
                return store.workersOf(node);
            }

            @Override
            public Optional<StoredSlot> nextNeverUsed() {
                return store.nextNeverUsed(view);
            }

            @Override
            public List<SlotBound> bounds(int limit) {
                return store.bounds(limit);
            }

            @Override
            public StoredSlot read(int worker) {
                return store.read(worker);
            }
        };
    }
}
