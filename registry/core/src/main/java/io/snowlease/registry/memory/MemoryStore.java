package io.snowlease.registry.memory;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.SlotBound;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The store in its simplest form: records on the heap under one lock, and every check that {@link LeaseStore} promises,
 * the time limit included. Several handles share one heap. Calls never wait. Thread-safe.
 */
public final class MemoryStore implements LeaseStore {
    private static final String IDENTITY = "memory";
    private static final int MOST_WORKERS_OF_A_NODE = 8;

    private final Heap heap;
    private volatile boolean closed;

    /** A heap of its own, told the time by {@code clocks}. */
    public MemoryStore(Clocks clocks) {
        this(new Heap(clocks));
    }

    MemoryStore(Heap heap) {
        this.heap = heap;
    }

    /** Another handle on the same heap, as a second node has. */
    public MemoryStore another() {
        return new MemoryStore(heap);
    }

    @Override
    public String servers() {
        return "memory:";
    }

    @Override
    public boolean isNeverUsed() {
        return true;
    }

    @Override
    public long lagMillis() {
        return 0;
    }

    @Override
    public RegistryView view() {
        return open().view();
    }

    @Override
    public boolean create(RegistryRecord record) {
        return open().create(record);
    }

    @Override
    public boolean replace(RegistryView seen, RegistryRecord next) {
        return open().replace(seen, next);
    }

    @Override
    public List<Integer> workersOf(String node) {
        return open().workersOf(node);
    }

    @Override
    public Optional<StoredSlot> nextNeverUsed(RegistryView view) {
        RegistryRecord registry = Objects.requireNonNull(view.record(), "no registry: view.record()=null");
        return open().nextNeverUsed(registry.range());
    }

    @Override
    public List<SlotBound> bounds(int limit) {
        return open().bounds(limit);
    }

    @Override
    public StoredSlot read(int worker) {
        return open().read(worker);
    }

    @Override
    public WriteResult write(RegistryView plannedOn, StoredSlot expected, SlotRecord next, long beforeMillis) {
        if (expected.worker() != next.worker()) {
            throw new IllegalArgumentException(
                    "must be one slot: expected.worker=" + expected.worker() + ", next.worker=" + next.worker());
        }
        return open().write(plannedOn, expected, next, beforeMillis);
    }

    @Override
    public List<SlotRecord> list() {
        return open().list();
    }

    @Override
    public List<Finding> findings() {
        return List.of(Finding.warning(
                "durability",
                "the data are in this process's memory, and are gone when it ends",
                "for anything but tests use embedded: or zookeeper://"));
    }

    @Override
    public void close() {
        closed = true;
    }

    private Heap open() {
        if (closed) {
            throw new StoreUnavailableException("memory: is closed", null);
        }
        return heap;
    }

    /** The data; each method is one atomic step. */
    static final class Heap {
        private final Clocks clocks;
        private final TreeMap<Integer, SlotRecord> slots = new TreeMap<>();
        private @Nullable RegistryRecord registry;
        private long version;

        Heap(Clocks clocks) {
            this.clocks = clocks;
        }

        synchronized RegistryView view() {
            return new RegistryView(registry, clocks.wallMillis(), IDENTITY, version);
        }

        synchronized boolean create(RegistryRecord record) {
            if (registry != null) {
                return false;
            }
            registry = record;
            version++;
            return true;
        }

        synchronized boolean replace(RegistryView seen, RegistryRecord next) {
            if (!isUnchanged(seen)) {
                return false;
            }
            registry = next;
            version++;
            return true;
        }

        synchronized List<Integer> workersOf(String node) {
            return slots.values().stream()
                    .filter(slot -> slot.node().equals(node))
                    .sorted(Comparator.comparingLong(SlotRecord::claimedAt)
                            .thenComparingLong(SlotRecord::renewedAt)
                            .reversed())
                    .limit(MOST_WORKERS_OF_A_NODE)
                    .map(SlotRecord::worker)
                    .toList();
        }

        synchronized Optional<StoredSlot> nextNeverUsed(WorkerRange range) {
            for (int worker = range.first(); worker <= range.last(); worker++) {
                if (!slots.containsKey(worker)) {
                    return Optional.of(read(worker));
                }
            }
            return Optional.empty();
        }

        synchronized List<SlotBound> bounds(int limit) {
            return slots.values().stream()
                    .map(slot -> new SlotBound(slot.worker(), slot.until(), slot.state() == SlotState.RELEASED))
                    .sorted(Comparator.comparingLong(SlotBound::until))
                    .limit(limit)
                    .toList();
        }

        synchronized StoredSlot read(int worker) {
            return new StoredSlot(worker, slots.get(worker), null);
        }

        synchronized WriteResult write(
                RegistryView plannedOn, StoredSlot expected, SlotRecord next, long beforeMillis) {
            if (!isUnchanged(plannedOn)) {
                return WriteResult.REGISTRY_CHANGED;
            }
            SlotRecord current = slots.get(next.worker());
            if (next.equals(current)) {
                return WriteResult.WRITTEN;
            }
            if (!Objects.equals(current, expected.record())) {
                return WriteResult.SLOT_CHANGED;
            }
            if (clocks.wallMillis() >= beforeMillis) {
                return WriteResult.TOO_LATE;
            }
            slots.put(next.worker(), next);
            return WriteResult.WRITTEN;
        }

        synchronized List<SlotRecord> list() {
            return new ArrayList<>(slots.values());
        }

        private boolean isUnchanged(RegistryView seen) {
            return seen.record() != null
                    && seen.record().equals(registry)
                    && Objects.equals(seen.stamp(), version)
                    && seen.serverIdentity().equals(IDENTITY);
        }
    }
}
