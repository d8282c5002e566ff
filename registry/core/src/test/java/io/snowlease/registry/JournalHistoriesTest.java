package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.snowlease.generator.BoundReachedException;
import io.snowlease.generator.Layout;
import io.snowlease.generator.LeaseLostException;
import io.snowlease.generator.journal.Journal;
import io.snowlease.generator.journal.ManualJournal;
import io.snowlease.registry.memory.MemoryStore;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.StoreAccessException;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Histories around a start by the journal alone, a lost registry, and a journal that fails: found by reading, each once bad. */
class JournalHistoriesTest {
    private final ManualClocks clocks = new ManualClocks();
    private MemoryStore heap = new MemoryStore(clocks);
    private final ManualJournal disk = new ManualJournal();
    private final Set<Long> all = new HashSet<>();

    private Life a(boolean away, RegistrySettings settings) {
        return new Life(clocks, all, heap, away, disk, "a", true, settings, Duration.ofSeconds(2));
    }

    private SlotRecord slot(int worker) {
        return Objects.requireNonNull(heap.read(worker).record());
    }

    private void evict() {
        try (RegistryAdmin admin = new StoreAdmin(heap.another(), "orders", Duration.ofSeconds(1), clocks)) {
            SlotInfo unusedEvicted = admin.evict(0);
        }
    }

    private void overwrite(SlotRecord next) {
        StoredSlot present = heap.read(next.worker());
        assertThat(heap.write(heap.view(), present, next, Long.MAX_VALUE)).isEqualTo(WriteResult.WRITTEN);
    }

    /** started alone with the journal's layout; the registry was lost; it is made anew with the default layout. */
    @Test
    void theLayoutOfAStartAloneIsHeldAgainstTheRegistry() {
        Layout eight = Layout.parse("41/8/14,epoch=2025-01-01T00:00:00Z");
        a(false, new RegistrySettings(eight, null, null, null)).start().run(4);
        disk.crash(0);
        Life second = a(true, RegistrySettings.UNSTATED).start();
        second.run(2);
        assertThat(second.registry.layout()).isEqualTo(eight);

        // The coordinator comes back without its data.
        heap = new MemoryStore(clocks);
        second.store.restartEmpty(heap.another());
        second.store.away = false;
        clocks.advanceMillis(2_000);
        second.keep();
        assertThat(Objects.requireNonNull(heap.view().record()).parsedLayout()).isEqualTo(eight);
    }

    /** the same, with an id that two nodes issue. */
    @Test
    void noIdIsIssuedTwiceWhenTheRegistryWasMadeAnew() {
        Layout eight = Layout.parse("41/8/14,epoch=2025-01-01T00:00:00Z");
        a(false, new RegistrySettings(eight, null, null, null)).start().run(4);
        disk.crash(0);
        Life second = a(true, RegistrySettings.UNSTATED).start();
        second.run(2);

        heap = new MemoryStore(clocks);
        second.store.restartEmpty(heap.another());
        second.store.away = false;
        clocks.advanceMillis(2_000);
        second.keep();
        // The quarantine ends; others start on what the registry says.
        clocks.advanceMillis(90_000);
        List<Life> others = new ArrayList<>();
        others.add(
                new Life(clocks, all, heap, false, null, "b0", false, RegistrySettings.UNSTATED, Duration.ofSeconds(2))
                        .start());
        for (int i = 0; i < 6; i++) {
            clocks.advanceMillis(6_000);
            second.keep();
        }
        for (int i = 1; i < 5; i++) {
            others.add(new Life(
                            clocks,
                            all,
                            heap,
                            false,
                            null,
                            "b" + i,
                            false,
                            RegistrySettings.UNSTATED,
                            Duration.ofSeconds(2))
                    .start());
        }
        clocks.advanceMillis(1_000);
        second.keep();
        others.forEach(Life::keep);
        ManualJournal.look(second.journal());
        Set<Long> same = new HashSet<>();
        for (Life each : others) {
            same.add(each.raw());
        }
        assertThat(same).doesNotContain(second.ids().nextId());
    }

    /** connect has seen that the registry was replaced, and the lease of the lost one is used all the same. */
    @Test
    void aRegistryKnownToBeReplacedIsNotStartedAloneOn() {
        a(false, new RegistrySettings(null, Duration.ofMinutes(10), null, null))
                .start()
                .run(4);
        disk.crash(0);
        // Lost, and made anew by b with a shorter D.
        heap = new MemoryStore(clocks);
        RegistrySettings shorter = new RegistrySettings(null, Duration.ofSeconds(10), null, null);
        assertThatThrownBy(() ->
                        new Life(clocks, all, heap, false, null, "b", false, shorter, Duration.ofSeconds(2)).start())
                .isInstanceOf(NotGrantableYetException.class);
        clocks.advanceMillis(30_000);
        Life b = new Life(clocks, all, heap, false, null, "b", false, shorter, Duration.ofSeconds(2)).start();

        Life second = a(false, RegistrySettings.UNSTATED); // has seen the new registry
        second.store.away = true;
        try {
            second.start();
        } catch (RegistryException e) {
            return; // as it should be
        }
        clocks.advanceMillis(2_000);
        b.keep();
        ManualJournal.look(second.journal());
        assertThat(second.ids().nextId()).isNotEqualTo(b.raw());
    }

    /** a lease that could not be marked closed blocks the registry's journal for ever. */
    @Test
    void aGeneratorWhoseMarkCouldNotBeWrittenMakesRoomForTheNext() {
        Life process = a(false, RegistrySettings.UNSTATED).start();
        process.run(2);
        disk.failSyncs();
        process.ids().close();
        disk.heal();
        clocks.advanceMillis(120_000);

        assertThatCode(process::start).doesNotThrowAnyException();
    }

    /** known to be lost (I6), yet gone on with by the next process. */
    @Test
    void aLeaseKnownToBeLostIsNotStartedAloneOn() {
        Life process = a(false, RegistrySettings.UNSTATED).start();
        process.run(2);
        evict();
        clocks.advanceMillis(25_000);
        process.keep();
        assertThat(process.registry.leases().get(0).state()).isEqualTo(LeaseState.LOST);
        disk.crash(0);

        assertThatThrownBy(() -> a(true, RegistrySettings.UNSTATED).start().next())
                .isInstanceOf(CoordinatorUnavailableException.class);
    }

    /** an interrupt is taken for a coordinator that is away. */
    @Test
    void anInterruptedStartIsNoStartAlone() {
        a(false, RegistrySettings.UNSTATED).start().run(2);
        disk.crash(0);
        clocks.advanceMillis(2_000);
        Life second = a(false, RegistrySettings.UNSTATED);
        second.store.onView = () -> { // as ZkConnection does
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while reading", null);
        };
        try {
            assertThatThrownBy(second::start).isInstanceOf(RegistryInterruptedException.class);
        } finally {
            Thread.interrupted();
        }
    }

    /** a refused node starts all the same. */
    @Test
    void aNodeThatIsRefusedIsToldAtOnce() {
        a(false, RegistrySettings.UNSTATED).start().run(2);
        disk.crash(0);
        clocks.advanceMillis(2_000);
        Journal journal = disk.open(clocks);
        FaultyStore store = new FaultyStore(heap.another(), true);
        store.beforeView = () -> {
            throw new StoreAccessException("wrong password", null);
        };
        assertThatThrownBy(() -> LeasingRegistry.open(
                        store,
                        new FileLeaseJournal(journal, "orders"),
                        new LeasingRegistry.Config(
                                "orders", "a", RegistrySettings.UNSTATED, Duration.ofSeconds(2), s -> {}, clocks)))
                .isInstanceOf(CoordinatorAccessException.class);
    }

    /** the resume was written, its reply lost, the node started alone: its own resume fences it, and nobody holds it. */
    @Test
    void anOwnResumeIsRecognizedAfterAStartAlone() {
        RegistrySettings one = new RegistrySettings(null, null, null, new WorkerRange(0, 0));
        a(false, one).start().run(4);
        disk.crash(0);
        clocks.advanceMillis(2_000);
        Life second = a(false, one);
        second.store.goesAwayInNextWrite = true;
        second.start();
        assertThat(slot(0).epoch()).isEqualTo(2);
        second.next();
        second.store.away = false;
        for (int i = 0; i < 10; i++) {
            clocks.advanceMillis(5_000);
            second.keep();
        }
        second.next();
    }

    /** D = 2 s: the first renewal after a start alone comes after the bound. */
    @Test
    void aShortLeaseIsRenewedInTimeAfterAStartAlone() {
        RegistrySettings brief = new RegistrySettings(null, Duration.ofSeconds(2), null, null);
        Life first = a(false, brief).start();
        for (int i = 0; i < 20; i++) {
            clocks.advanceMillis(100);
            first.keep();
            first.next();
        }
        disk.crash(0);
        Life second = a(true, RegistrySettings.UNSTATED);
        second.start();
        second.store.away = false;
        for (int i = 0; i < 40; i++) {
            clocks.advanceMillis(50);
            second.keep();
        }
        assertThat(second.registry.stats().fenced()).isZero();
    }

    private void forget() {
        SlotRecord held = slot(0);
        overwrite(new SlotRecord(
                0,
                1,
                "a",
                held.token(),
                SlotState.HELD,
                held.floor(),
                held.until() - 20_000,
                held.last(),
                held.claimedAt(),
                held.renewedAt()));
    }

    private long quarantineUntil() {
        return Objects.requireNonNull(heap.view().record()).quarantineUntil();
    }

    /** one loss, one quarantine: not pushed ahead by each restart of the node that noticed it. */
    @Test
    void aNodeThatRestartsDoesNotProlongTheQuarantine() {
        a(false, RegistrySettings.UNSTATED).start().run(4);
        disk.crash(0);
        forget();
        assertThatThrownBy(() -> a(false, RegistrySettings.UNSTATED).start())
                .isInstanceOf(NotGrantableYetException.class);
        long first = quarantineUntil();
        for (int i = 0; i < 5; i++) {
            disk.crash(0);
            clocks.advanceMillis(10_000);
            assertThatThrownBy(() -> a(false, RegistrySettings.UNSTATED).start())
                    .isInstanceOf(NotGrantableYetException.class);
        }
        assertThat(quarantineUntil()).isEqualTo(first);
    }

    /** nor by each retry of one that runs, whose disk has failed for a moment. */
    @Test
    void aNodeThatRetriesDoesNotProlongTheQuarantine() {
        Life process = a(false, RegistrySettings.UNSTATED).start();
        process.run(4);
        forget();
        disk.failSyncs();
        try {
            process.run(2);
        } catch (BoundReachedException e) {
            // as it should be
        }
        disk.heal();
        long first = 0;
        for (int i = 0; i < 10; i++) {
            clocks.advanceMillis(5_000);
            process.keep();
            first = first == 0 ? quarantineUntil() : first;
        }
        assertThat(quarantineUntil()).isEqualTo(first);
    }

    /** what a process has found to be no proof is none for the next process either. */
    @Test
    void whatWasFoundToBeNoProofStaysNone() {
        Life first =
                a(false, new RegistrySettings(Layout.SECONDS, null, null, null)).start();
        first.run(4);
        byte[] old = disk.contents();
        first.run(40);
        disk.crash(0);
        disk.overwrite(old);
        Life second = a(false, RegistrySettings.UNSTATED);
        // The coordinator says that it is an old copy, and goes away before another worker id is claimed.
        second.store.losesBounds = true;
        int[] reads = {0};
        second.store.onView = () -> {
            if (++reads[0] > 2) {
                throw new StoreUnavailableException("cut off", null);
            }
        };
        assertThatThrownBy(second::start).isInstanceOf(CoordinatorUnavailableException.class);
        disk.crash(0);

        // Issues on the lease, from what the copy had reserved: the clock was set back, too.
        clocks.stepWall(-20_000);
        assertThatCode(() -> {
                    Life third = a(true, RegistrySettings.UNSTATED).start();
                    third.run(20);
                })
                .isInstanceOf(RegistryException.class);
    }

    /** found to be of a registry that was replaced, the quarantine was raised, and the node restarted meanwhile. */
    @Test
    void aReplacedRegistrysLeaseIsNoProofForTheNextProcessEither() {
        a(false, new RegistrySettings(null, Duration.ofMinutes(10), null, null))
                .start()
                .run(4);
        disk.crash(0);
        heap = new MemoryStore(clocks);
        RegistrySettings shorter = new RegistrySettings(null, Duration.ofSeconds(10), null, null);
        assertThatThrownBy(() ->
                        new Life(clocks, all, heap, false, null, "b", false, shorter, Duration.ofSeconds(2)).start())
                .isInstanceOf(NotGrantableYetException.class);
        clocks.advanceMillis(30_000);
        Life b = new Life(clocks, all, heap, false, null, "b", false, shorter, Duration.ofSeconds(2)).start();

        // Alive to say so, and says so.
        assertThatThrownBy(() -> a(false, RegistrySettings.UNSTATED).start())
                .isInstanceOf(NotGrantableYetException.class);
        disk.crash(0);
        clocks.advanceMillis(1_000);
        b.keep();

        Life third;
        try {
            third = a(true, RegistrySettings.UNSTATED).start();
        } catch (RegistryException e) {
            return; // as it should be
        }
        ManualJournal.look(third.journal());
        assertThat(third.ids().nextId()).isNotEqualTo(b.raw());
    }

    /** whatever goes wrong in the release, the folder is let go of. */
    @Test
    void closeLetsGoOfTheFolderWhateverTheStoreThrows() {
        Life process = a(false, RegistrySettings.UNSTATED).start();
        process.run(2);
        process.store.beforeView = () -> {
            throw new IllegalStateException("a fault of the store");
        };
        try {
            process.registry.close();
        } catch (IllegalStateException e) {
            // may say so
        }
        assertThat(process.journal().state().name()).isEqualTo("CLOSED");
    }

    /** the journal knows that the namespace was used, and its layout; the registry is made anew by its node. */
    @Test
    void aRegistryThatTheJournalKnowsIsLostNotNew() {
        Layout eight = Layout.parse("41/8/14,epoch=2025-01-01T00:00:00Z");
        a(false, new RegistrySettings(eight, null, null, null)).start().run(4);
        disk.crash(0);
        heap = new MemoryStore(clocks); // as an embedded one whose folder is gone

        Life second = a(false, RegistrySettings.UNSTATED);
        assertThat(second.registry.registry().quarantineUntil()).isGreaterThan(clocks.wallMillis());
    }

    @Test
    void aRegistryThatTheJournalKnowsKeepsItsLayout() {
        Layout eight = Layout.parse("41/8/14,epoch=2025-01-01T00:00:00Z");
        a(false, new RegistrySettings(eight, null, null, null)).start().run(4);
        disk.crash(0);
        heap = new MemoryStore(clocks);

        Life second;
        try {
            second = new Life(
                    clocks, all, heap, false, disk, "a", false, RegistrySettings.UNSTATED, Duration.ofSeconds(90));
        } catch (RegistryException e) {
            return;
        }
        assertThat(second.registry.layout()).isEqualTo(eight);
    }

    /** known to be evicted, while the journal can't be written: the generator is stopped (I6). */
    @Test
    void aFenceIsNoticedWhileTheJournalStandsStill() {
        RegistrySettings one = new RegistrySettings(null, null, null, new WorkerRange(0, 0));
        Life process = a(false, one).start();
        process.run(2);
        disk.failSyncs();
        clocks.advanceMillis(300);
        ManualJournal.look(process.journal());
        long unused = process.ids().nextId();
        clocks.advanceMillis(300);
        ManualJournal.look(process.journal());
        evict();
        disk.heal();
        process.keep();
        assertThatThrownBy(() -> process.ids().nextId()).isInstanceOf(LeaseLostException.class);
    }

    /** A claim whose lease can't be recorded is left to expire: the disk is tried first the next time. */
    @Test
    void aDiskThatFailsCostsOneWorkerIdNotOneWithEachRetry() {
        Life process = a(false, RegistrySettings.UNSTATED).start();
        process.run(2);
        evict();
        clocks.advanceMillis(25_000);
        process.keep();
        assertThat(process.registry.leases().get(0).state()).isEqualTo(LeaseState.LOST);
        process.store.onWrite = disk::failSyncs;
        for (int i = 0; i < 6; i++) {
            process.keep();
            clocks.advanceMillis(5_000);
        }
        assertThat(heap.list()).hasSize(2);

        process.store.onWrite = () -> {};
        disk.heal();
        process.keep();
        process.next();
        assertThat(heap.list()).hasSize(3);
    }
}
