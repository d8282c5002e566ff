package io.snowlease.registry;

import static io.snowlease.registry.contract.StoreSamples.recordOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.memory.MemoryStore;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.protocol.WorkerRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What stands in a slot is no record of ours: nothing is guessed, and nothing else suffers from it. */
class MalformedSlotTest {
    private static final Duration LEASE = Duration.ofSeconds(20);

    private final MemoryStore memory = new MemoryStore(Clocks.system());
    private final List<FaultyStore> stores = new ArrayList<>();
    private final List<LeaseStatus> told = new CopyOnWriteArrayList<>();

    @Test
    void otherWorkerIdsCanBeLeased() {
        try (WorkerRegistry before = connect("a", LEASE);
                IdGenerator zero = before.newGenerator();
                IdGenerator one = before.newGenerator()) {
            assertThat(List.of(zero.workerId(), one.workerId())).containsExactly(0, 1);
        }

        try (WorkerRegistry sameName = connect("a", LEASE);
                WorkerRegistry otherName = connect("b", LEASE)) {
            makeGarbageOf(0);
            try (IdGenerator ids = sameName.newGenerator()) {
                assertThat(ids.workerId()).isEqualTo(1);
            }
            try (IdGenerator ids = otherName.newGenerator()) {
                assertThat(ids.workerId()).isEqualTo(1);
            }
        }
    }

    /** A grant whose reply was lost for good is looked for at each renewal, to be given back. */
    @Test
    void aLeaseInUseIsRenewedAlthoughALostGrantCannotBeRead() {
        try (WorkerRegistry registry = connect("a", Duration.ofSeconds(3))) {
            FaultyStore store = stores.get(0);
            store.goesAwayInNextWrite = true;
            CompletableFuture<IdGenerator> claiming = CompletableFuture.supplyAsync(registry::newGenerator);
            await().until(() -> store.away);
            makeGarbageOf(0);
            store.away = false;

            IdGenerator ids = claiming.join();
            assertThat(ids.workerId()).isEqualTo(1);
            await().until(() -> registry.stats().renewals() > 0);
            assertThat(state()).isEqualTo(LeaseState.HELD);

            makeGarbageOf(-1);
            await().until(() -> recordOf(memory.read(0)).state() == SlotState.RELEASED);
        }
    }

    @Test
    void closingEndsAllTheSame() {
        WorkerRegistry registry = connect("a", LEASE);
        IdGenerator unusedIds = registry.newGenerator();
        makeGarbageOf(0);

        registry.close();

        assertThat(state()).isEqualTo(LeaseState.CLOSED);
        assertThat(told.get(told.size() - 1).reason()).isEqualTo("slot 0: must be a JSON object, found nothing");
    }

    private LeaseState state() {
        return told.get(told.size() - 1).state();
    }

    private void makeGarbageOf(int worker) {
        stores.forEach(store -> store.malformed = worker);
    }

    private WorkerRegistry connect(String node, Duration lease) {
        FaultyStore store = new FaultyStore(memory.another(), true);
        stores.add(store);
        return LeasingRegistry.connect(
                store,
                LeaseJournal.NONE,
                new LeasingRegistry.Config(
                        "orders",
                        node,
                        new RegistrySettings(null, lease, Duration.ofSeconds(5), new WorkerRange(0, 1)),
                        Duration.ofSeconds(30),
                        told::add,
                        Clocks.system()));
    }
}
