package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.memory.MemoryStore;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator may change, over a heap with time moved by the tests: D = 60 s, S = 5 s, workers 0-1. */
class OperatorTest {
    private static final long T = ManualClocks.START_MILLIS;
    private static final long D = 60_000;
    private static final long S = 5_000;

    private final ManualClocks clocks = new ManualClocks();
    private final ManualClocks own = new ManualClocks();
    private final MemoryStore heap = new MemoryStore(clocks);
    private final FaultyStore store = new FaultyStore(heap.another(), true);
    private final StoreAdmin admin = admin(store);
    private LeasingRegistry node;
    private IdGenerator ids;

    private StoreAdmin admin(LeaseStore of) {
        return new StoreAdmin(of, "orders", Duration.ofSeconds(1), own);
    }

    @BeforeEach
    void leaseWorker0() {
        RegistrySettings two = new RegistrySettings(null, null, null, new WorkerRange(0, 1));
        admin.init(two, true, 0);
        node = open("a");
        ids = node.newGenerator();
    }

    @AfterEach
    void close() {
        node.close();
    }

    private LeasingRegistry open(String name) {
        return LeasingRegistry.open(
                heap.another(),
                LeaseJournal.NONE,
                new LeasingRegistry.Config(
                        "orders", name, RegistrySettings.UNSTATED, Duration.ZERO, status -> {}, clocks));
    }

    private SlotRecord slot(int worker) {
        return Objects.requireNonNull(heap.read(worker).record());
    }

    private RegistryRecord registry() {
        return Objects.requireNonNull(heap.view().record());
    }

    private void overwrite(SlotRecord next) {
        heap.write(heap.view(), heap.read(next.worker()), next, Long.MAX_VALUE);
    }

    private SlotRecord heldBy(String name, long epoch, long until) {
        return new SlotRecord(0, epoch, name, "token-" + epoch, SlotState.HELD, T, until, T, T, T);
    }

    // Evict

    @Test
    void anEvictedSlotKeepsBoundAndEpochAndHasAnotherToken() {
        SlotRecord before = slot(0);

        SlotInfo evicted = admin.evict(0);

        assertThat(evicted)
                .isEqualTo(new SlotInfo(0, SlotStatus.EVICTED, "a", 1, before.floor(), T + D, before.last(), T, T));
        assertThat(slot(0))
                .isEqualTo(new SlotRecord(
                        0, 1, "a", slot(0).token(), SlotState.EVICTED, before.floor(), T + D, before.last(), T, T));
        assertThat(slot(0).token()).matches("[0-9a-f]{32}").isNotEqualTo(before.token());
    }

    @Test
    void anEvictedHolderMovesToAnotherWorkerIdWithIncreasingIdsAndTheSlotIsFreeOnceItsBoundHasPassedByS() {
        long before = ids.nextId();
        admin.evict(0);
        assertThat(ids.nextId()).isGreaterThan(before);
        for (int second = 0; second < 25; second++) {
            clocks.advanceMillis(1000);
            keep();
        }
        assertThat(ids.workerId()).isEqualTo(1);
        assertThat(ids.nextId()).isGreaterThan(before);

        try (LeasingRegistry other = open("b")) {
            assertThatExceptionOfType(NoFreeWorkerException.class)
                    .isThrownBy(other::newGenerator)
                    .withMessage("no free worker id: 2 of 2 (0-1) are held, the next one expires at"
                            + " 2026-06-01T12:01:05Z unless it is renewed; stop a node, or use a layout with more worker"
                            + " bits");
            clocks.advanceMillis(T + D + S - clocks.wallMillis());
            assertThat(other.newGenerator().workerId()).isZero();
            assertThat(slot(0).floor()).isEqualTo(T + D);
        }
    }

    private void keep() {
        node.keeper().lock().lock();
        try {
            node.keeper().runDue();
        } finally {
            node.keeper().lock().unlock();
        }
    }

    @Test
    void refusesAWorkerIdThatTheRegistryDoesNotHandOut() {
        for (int worker : new int[] {2, -1}) {
            assertThatExceptionOfType(NoSuchWorkerException.class)
                    .isThrownBy(() -> admin.evict(worker))
                    .withMessage("no worker " + worker
                            + " in namespace 'orders', whose worker ids are 0-1: see 'leases'" + " for those in use");
        }
    }

    @Test
    void refusesASlotThatNobodyHoldsAndSaysHowItStands() {
        refusesAsNotHeld(1, "worker 1 is not held: it was never leased");
        admin.evict(0);
        refusesAsNotHeld(
                0, "worker 0 is not held: a (epoch 1) was evicted before, it is free from 2026-06-01T12:01:05Z on");
        overwrite(heldBy("b", 2, T - S));
        refusesAsNotHeld(
                0, "worker 0 is not held: the lease of b (epoch 2) ran out, it is free since 2026-06-01T12:00:00Z");
        overwrite(new SlotRecord(0, 3, "c", "t", SlotState.RELEASED, T, T + 1, T, T, T));
        refusesAsNotHeld(0, "worker 0 is not held: c (epoch 3) gave it back, it can be leased");
    }

    private void refusesAsNotHeld(int worker, String message) {
        SlotRecord before = heap.read(worker).record();
        assertThatExceptionOfType(WorkerNotHeldException.class)
                .isThrownBy(() -> admin.evict(worker))
                .withMessage(message + "; nothing was changed, see 'leases' for those that are held");
        assertThat(heap.read(worker).record()).isEqualTo(before);
    }

    @Test
    void aRenewalThatComesBetweenIsNoHindrance() {
        SlotRecord held = slot(0);
        SlotRecord renewed =
                new SlotRecord(0, 1, "a", held.token(), SlotState.HELD, held.floor(), T + D + 7, held.last(), T, T + 7);
        once(() -> overwrite(renewed));

        assertThat(admin.evict(0).until()).isEqualTo(T + D + 7);
    }

    @Test
    void anotherHolderThatComesBetweenIsNotEvicted() {
        SlotRecord taken = heldBy("b", 2, T + 2 * D);
        once(() -> overwrite(taken));

        assertThatExceptionOfType(WorkerNotHeldException.class)
                .isThrownBy(() -> admin.evict(0))
                .withMessage("worker 0 changed hands before it was evicted: a (epoch 1) had it, b (epoch 2) has it;"
                        + " nothing was changed, see 'leases' for those that are held");
        assertThat(slot(0)).isEqualTo(taken);
    }

    @Test
    void onlyTheLeaseThatWasShownIsEvicted() {
        SlotInfo shown = admin.slots().get(0);
        SlotRecord taken = heldBy("b", 2, T + 2 * D);
        overwrite(taken);

        assertThatExceptionOfType(WorkerNotHeldException.class)
                .isThrownBy(() -> admin.evict(shown))
                .withMessage("worker 0 changed hands before it was evicted: a (epoch 1) had it, b (epoch 2) has it;"
                        + " nothing was changed, see 'leases' for those that are held");
        assertThat(slot(0)).isEqualTo(taken);
        assertThat(admin.evict(admin.slots().get(0)).node()).isEqualTo("b");
    }

    @Test
    void aRegistryThatChangesBetweenIsReadAgain() {
        once(() -> admin(heap.another()).quarantine());

        assertThat(admin.evict(0).state()).isEqualTo(SlotStatus.EVICTED);
        assertThat(slot(0).state()).isEqualTo(SlotState.EVICTED);
    }

    @Test
    void givesUpWhenOthersAreFasterTimeAndAgain() {
        store.onWrite = () -> {
            SlotRecord held = slot(0);
            overwrite(new SlotRecord(
                    0, 1, "a", held.token(), SlotState.HELD, held.floor(), held.until() + 1, held.last(), T, T));
        };

        assertThatExceptionOfType(RegistryContendedException.class)
                .isThrownBy(() -> admin.evict(0))
                .withMessage("the record of worker 0 on coordinator test:1 was changed by others 16 times before this"
                        + " could be written; nothing was done, try again");
    }

    @Test
    void anEvictionWhoseReplyIsLostIsReadBack() {
        store.losesNextReply = true;
        assertThat(admin.evict(0).state()).isEqualTo(SlotStatus.EVICTED);
        assertThat(slot(0).state()).isEqualTo(SlotState.EVICTED);
    }

    @Test
    void anEvictionThatMayYetHappenIsAnErrorThatSaysSo() {
        store.losesNextRequest = true;
        assertThatExceptionOfType(OutcomeUnclearException.class)
                .isThrownBy(() -> admin.evict(0))
                .withMessage("it is not known whether worker 0 was evicted on coordinator test:1 (request lost), and it"
                        + " may still happen: look with 'leases', and evict it again if it is still held");
    }

    // Quarantine

    @Test
    void aQuarantineLastsDPlus2SFromNowAndHoldersGoOn() {
        clocks.advanceMillis(10_000);
        own.advanceMillis(10_000);

        RegistryRecord quarantined = admin.quarantine();

        assertThat(quarantined.quarantineUntil()).isEqualTo(T + 10_000 + D + 2 * S);
        assertThat(registry()).isEqualTo(quarantined);
        keep();
        long before = ids.nextId();
        clocks.advanceMillis(15_000);
        keep();
        assertThat(ids.nextId()).isGreaterThan(before);
        assertThat(node.leases().get(0).untilMillis()).isEqualTo(T + 25_000 + D);
        assertThatExceptionOfType(NotGrantableYetException.class)
                .isThrownBy(node::newGenerator)
                .withMessage("registry in quarantine until 2026-06-01T12:01:20Z: no lease is granted before"
                        + " 2026-06-01T12:01:15Z, in 50000 ms by the coordinator's clock; try again then, or raise the"
                        + " start timeout");
    }

    @Test
    void aSecondQuarantineNeverEndsSooner() {
        long first = admin.quarantine().quarantineUntil();
        clocks.stepWall(-S);
        own.stepWall(-S);
        assertThat(admin.quarantine().quarantineUntil()).isEqualTo(first);
        clocks.stepWall(2 * S);
        own.stepWall(2 * S);
        assertThat(admin.quarantine().quarantineUntil()).isEqualTo(first + S);
    }

    @Test
    void refusesToDateAQuarantineByAClockThatIsOffEitherWay() {
        for (long off : new long[] {S + 1, -S - 1}) {
            own.stepWall(off);
            assertThatExceptionOfType(ClockSkewException.class)
                    .isThrownBy(admin::quarantine)
                    .withMessage("this node's clock (" + Instant.ofEpochMilli(T + off) + ") is 5001 ms "
                            + (off > 0 ? "ahead of" : "behind")
                            + " the coordinator's (2026-06-01T12:00:00Z), tolerated are 5000 ms: correct the clock (NTP)"
                            + " on whichever is wrong");
            assertThat(registry().quarantineUntil()).isZero();
            own.stepWall(-off);
        }
        own.stepWall(-S);
        assertThat(admin.quarantine().quarantineUntil()).isEqualTo(T + D + 2 * S);
    }

    @Test
    void aRegistryThatOthersChangeIsReadAgain() {
        once(() -> admin(heap.another()).quarantine());
        assertThat(admin.quarantine()).isEqualTo(registry());
    }

    @Test
    void aQuarantineWhoseReplyIsLostIsReadBack() {
        store.losesNextReply = true;
        assertThat(admin.quarantine()).isEqualTo(registry());
        assertThat(registry().quarantineUntil()).isEqualTo(T + D + 2 * S);
    }

    @Test
    void aQuarantineThatMayYetHappenIsAnErrorThatSaysSo() {
        store.losesNextRequest = true;
        assertThatExceptionOfType(OutcomeUnclearException.class)
                .isThrownBy(admin::quarantine)
                .withMessage("it is not known whether the quarantine was set on coordinator test:1 (request lost), and"
                        + " it may still happen: set it again before any node connects; it never falls, twice does no"
                        + " harm");
    }

    // Either

    @Test
    void saysThatThereIsNoRegistry() {
        StoreAdmin none = admin(new FaultyStore(new MemoryStore(clocks), false));
        String message = "no registry of namespace 'orders' on coordinator test:1: make one with 'init', or let the"
                + " first node make it by connecting";
        assertThatExceptionOfType(RegistryNotFoundException.class)
                .isThrownBy(none::quarantine)
                .withMessage(message);
        assertThatExceptionOfType(RegistryNotFoundException.class)
                .isThrownBy(() -> none.evict(0))
                .withMessage(message);
    }

    @Test
    void saysThatTheCoordinatorIsAway() {
        store.away = true;
        assertThatExceptionOfType(CoordinatorUnavailableException.class)
                .isThrownBy(() -> admin.evict(0))
                .withMessage("coordinator test:1 did not answer within 1000 ms (cut off): check that it runs and that"
                        + " this address is right");
    }

    private void once(Runnable action) {
        store.onWrite = () -> {
            store.onWrite = () -> {};
            action.run();
        };
    }
}
