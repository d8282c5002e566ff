package io.snowlease.registry;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.SlotBound;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A node's connection to the simulated servers: every call is a message that may be late, lost or doubled. */
final class SimStore implements LeaseStore {
    private final SimWorld world;
    private final SimNode node;

    private final Caller caller;

    /** Who waits for replies. */
    interface Caller {
        void suspend();

        void resume();
    }

    SimStore(SimWorld world, SimNode node, Caller caller) {
        this.world = world;
        this.node = node;
        this.caller = caller;
    }

    private static final class Reply<T> {
        boolean done;

        @Nullable
        T value;
    }

    private <T> T call(Function<SimServer, T> operation) {
        Reply<T> reply = new Reply<>();
        int copies = world.isRequestLost(node) ? 0 : world.isDoubled() ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            world.after(world.delay(), () -> arrive(operation, reply));
        }
        world.after(SimWorld.CALL_TIMEOUT_MILLIS, () -> finish(reply, null));
        if (world.stallsInCall()) {
            node.pauseFor(40_000 + world.random().nextInt(25_000));
        }
        caller.suspend();
        T value = reply.value;
        if (value == null) {
            throw new StoreUnavailableException("no answer in simulated time", null);
        }
        return value;
    }

    private <T> void arrive(Function<SimServer, T> operation, Reply<T> reply) {
        SimServer server = world.serverFor(node);
        if (server == null) {
            return;
        }
        T value = operation.apply(server);
        if (!world.isReplyLost(node)) {
            world.after(world.delay(), () -> finish(reply, value));
        }
    }

    private <T> void finish(Reply<T> reply, @Nullable T value) {
        if (!reply.done) {
            reply.done = true;
            reply.value = value;
            caller.resume();
        }
    }

    @Override
    public String servers() {
        return "simulated";
    }

    @Override
    public boolean isNeverUsed() {
        return world.trueMillis() < SimWorld.START_MILLIS + 1000;
    }

    @Override
    public long lagMillis() {
        return world.profile().splitMillis();
    }

    @Override
    public RegistryView view() {
        return call(SimServer::view);
    }

    @Override
    public boolean create(RegistryRecord record) {
        return call(server -> server.create(record));
    }

    @Override
    public boolean replace(RegistryView seen, RegistryRecord next) {
        return call(server -> server.replace(seen, next));
    }

    @Override
    public List<Integer> workersOf(String name) {
        return call(server -> server.slots.values().stream()
                .filter(slot -> slot.node().equals(name))
                .map(SlotRecord::worker)
                .toList());
    }

    @Override
    public Optional<StoredSlot> nextNeverUsed(RegistryView view) {
        return call(server -> {
            RegistryRecord registry = Objects.requireNonNull(view.record());
            for (int worker = registry.firstWorker(); worker <= registry.lastWorker(); worker++) {
                if (!server.slots.containsKey(worker)) {
                    return Optional.of(new StoredSlot(worker, null, null));
                }
            }
            return Optional.empty();
        });
    }

    @Override
    public List<SlotBound> bounds(int limit) {
        return call(server -> server.slots.values().stream()
                .sorted(Comparator.comparingLong(SlotRecord::until))
                .limit(limit)
                .map(slot -> new SlotBound(slot.worker(), slot.until(), slot.state() == SlotState.RELEASED))
                .toList());
    }

    @Override
    public StoredSlot read(int worker) {
        return call(server -> new StoredSlot(worker, server.slots.get(worker), null));
    }

    @Override
    public WriteResult write(RegistryView plannedOn, StoredSlot expected, SlotRecord next, long beforeMillis) {
        long sentAt = world.trueMillis();
        return call(server -> {
            Runnable restore = server.backUp();
            WriteResult result = server.write(plannedOn, expected, next, beforeMillis);
            world.wrote(node, sentAt);
            if (result == WriteResult.WRITTEN) {
                world.mayRestore(server, restore);
            }
            return result;
        });
    }

    @Override
    public List<SlotRecord> list() {
        return call(server -> List.copyOf(server.slots.values()));
    }

    @Override
    public void close() {}
}
