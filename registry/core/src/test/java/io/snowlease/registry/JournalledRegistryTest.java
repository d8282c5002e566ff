package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.snowlease.generator.BoundReachedException;
import io.snowlease.generator.Layout;
import io.snowlease.generator.LeaseLostException;
import io.snowlease.generator.journal.Journal;
import io.snowlease.generator.journal.JournalException;
import io.snowlease.generator.journal.JournalReading;
import io.snowlease.generator.journal.ManualJournal;
import io.snowlease.registry.memory.MemoryStore;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A registry with a journal over a heap, with time, disk and the journal's thread moved by the tests: D = 60 s, S = 5 s. */
class JournalledRegistryTest {
    private final ManualClocks clocks = new ManualClocks();
    private final MemoryStore heap = new MemoryStore(clocks);
    private final ManualJournal disk = new ManualJournal();
    private final Set<Long> all = new HashSet<>();

    private Life process(boolean coordinatorAway, RegistrySettings settings) {
        return new Life(clocks, all, heap, coordinatorAway, disk, "a", true, settings, Duration.ofSeconds(2));
    }

    private Life process() {
        return process(false, RegistrySettings.UNSTATED);
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

    private JournalReading read() {
        disk.crash(0);
        try (Journal journal = disk.open(clocks)) {
            return journal.found();
        }
    }

    @Test
    void aCrashedProcessGoesOnWithItsWorkerIdAboveAllItHasIssued() {
        Life first = process().start();
        long last = first.run(10);
        disk.crash(0);

        Life second = process().start();

        assertThat(second.ids().workerId()).isZero();
        assertThat(second.next()).isGreaterThan(last);
        assertThat(slot(0).epoch()).isEqualTo(2);
        assertThat(slot(0).floor()).isGreaterThan(Layout.CLASSIC.decode(last).timestampMillis());
        // The crashed one, were it only paused, can't renew any more.
        first.run(1);
        clocks.advanceMillis(30_000);
        first.keep();
        first.keep();
        assertThat(first.registry.leases().get(0).worker()).isNotZero();
    }

    @Test
    void withoutTheCoordinatorItServesToTheBoundThenRefusesAndComesBack() {
        Life first = process().start();
        first.run(10);
        disk.crash(0);

        Life second = process(true, RegistrySettings.UNSTATED).start();

        assertThat(second.ids().workerId()).isZero();
        assertThat(second.registry.layout()).isEqualTo(Layout.CLASSIC);
        assertThatThrownBy(second.registry::registry)
                .isInstanceOf(CoordinatorUnavailableException.class)
                .hasMessageContaining("did not answer");
        second.run(20);
        long bound = second.registry.leases().get(0).untilMillis();
        clocks.advanceMillis(bound - clocks.wallMillis());
        assertThatThrownBy(second::next).isInstanceOf(BoundReachedException.class);

        second.store.away = false;
        clocks.advanceMillis(6_000);
        second.keep();
        second.keep();
        second.next();
        assertThat(second.registry.registry().leaseMillis()).isEqualTo(60_000);
    }

    @Test
    void aCoordinatorThatComesBackBeforeTheBoundRenewsTheLeaseInTheJournal() {
        Life first = process().start();
        first.run(10);
        disk.crash(0);
        Life second = process(true, RegistrySettings.UNSTATED).start();
        second.run(5);

        second.store.away = false;
        second.run(70);

        assertThat(second.ids().workerId()).isZero();
        assertThat(slot(0).epoch()).isEqualTo(1);
    }

    @Test
    void aStartWithoutTheCoordinatorNeedsALeaseThatLasts() {
        Life first = process().start();
        first.run(2);
        disk.crash(0);
        clocks.advanceMillis(60_000);

        assertThatThrownBy(() -> process(true, RegistrySettings.UNSTATED).start())
                .isInstanceOf(CoordinatorUnavailableException.class);
    }

    @Test
    void aStartWithoutTheCoordinatorNeedsTheLayoutThatIsStated() {
        process().start().run(2);
        disk.crash(0);

        assertThatThrownBy(() -> process(true, new RegistrySettings(Layout.SECONDS, null, null, null))
                        .start())
                .isInstanceOf(CoordinatorUnavailableException.class);
    }

    @Test
    void aClosedGeneratorsLeaseIsGoneOnWithByNobody() {
        Life first = process().start();
        first.run(2);
        first.ids().close();
        assertThat(slot(0).state()).isEqualTo(SlotState.RELEASED);
        first.registry.close();

        assertThat(read().status()).isEqualTo(JournalReading.Status.CLOSED);
        assertThatThrownBy(() -> process(true, RegistrySettings.UNSTATED).start())
                .isInstanceOf(CoordinatorUnavailableException.class);
    }

    @Test
    void aClosedGeneratorMakesRoomForTheNext() {
        Life process = process().start();
        long last = process.run(2);
        assertThatThrownBy(process.registry::newGenerator)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a journal must serve one generator at a time: the one in /j has one; close it, or connect"
                        + " another registry with a journal of its own");
        process.ids().close();

        process.start();
        assertThat(process.next()).isGreaterThan(last);
        assertThat(process.ids().workerId()).isZero();
    }

    @Test
    void aClockSetBackIsRefusedNamingTheDifferenceBeforeTheCoordinatorIsAsked() {
        Life first = process().start();
        long last = first.run(10);
        disk.crash(0);
        clocks.stepWall(-60_000);

        Life second = process();
        assertThatThrownBy(second::start)
                .isInstanceOf(NotGrantableYetException.class)
                .hasMessageMatching(
                        "this node's clock \\(2026-06-01T11:59:10.*Z\\) is 6[01] s \\(6\\d{4} ms\\) behind the"
                                + " first timestamp not used yet, 2026-06-01T12:00:.*Z \\(the journal in /j\\): ids come when it has got there; if it was"
                                + " set back by mistake, correct it \\(NTP\\)");
        assertThat(slot(0).epoch()).isEqualTo(1);

        clocks.stepWall(60_000);
        second.start();
        assertThat(second.ids().workerId()).isZero();
        assertThat(second.next()).isGreaterThan(last);
    }

    @Test
    void aClockSetBackAfterAGracefulEndIsNoticedToo() {
        Life first = process().start();
        first.run(2);
        first.registry.close();
        clocks.stepWall(-3_600_000);

        Life second = process();
        assertThatThrownBy(second::start)
                .isInstanceOf(NotGrantableYetException.class)
                .hasMessageContaining("is 3600 s (3600");
    }

    @Test
    void aProofThatIsRefusedLeadsToAClaim() {
        process().start().run(4);
        disk.crash(0);
        SlotRecord held = slot(0);
        overwrite(new SlotRecord(0, 2, "b", "other", SlotState.HELD, held.until(), held.until() + 60_000, 0, 0, 0));

        Life second = process().start();
        assertThat(second.ids().workerId()).isEqualTo(1);
        second.run(2);
    }

    @Test
    void aStoreThatForgotTheLeaseIsQuarantined() {
        process().start().run(4);
        disk.crash(0);
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

        assertThatThrownBy(() -> process().start())
                .isInstanceOf(NotGrantableYetException.class)
                .hasMessageStartingWith("registry in quarantine until ");
        assertThat(Objects.requireNonNull(heap.view().record()).quarantineUntil())
                .isGreaterThanOrEqualTo(held.until() + 10_000);
    }

    @Test
    void aResumeWhoseReplyIsLostIsGoneOnWith() {
        process().start().run(4);
        disk.crash(0);
        Life second = process();
        second.store.losesNextReply = true;

        second.start();

        assertThat(second.ids().workerId()).isZero();
        assertThat(slot(0).epoch()).isEqualTo(2);
        second.run(70);
        assertThat(second.ids().workerId()).isZero();
    }

    @Test
    void aCrashBetweenAResumeAndItsRecordLosesNothing() {
        process().start().run(4);
        disk.crash(0);
        Life second = process();
        second.store.onWrite = () -> disk.failSyncs();

        assertThatThrownBy(second::start).isInstanceOf(JournalException.class);
        assertThat(slot(0).epoch()).isEqualTo(2);
        disk.crash(0);

        Life third = process().start();
        assertThat(third.ids().workerId()).isZero();
        assertThat(slot(0).epoch()).isEqualTo(3);
        third.run(2);
    }

    @Test
    void aCopiedJournalIsNoProof() {
        Life first = process().start();
        first.run(4);
        byte[] copy = disk.contents();
        first.run(1);
        disk.crash(0);
        disk.putCopy(copy);

        Life second = process().start();
        assertThat(second.ids().workerId()).isEqualTo(1);
        second.run(2);
    }

    @Test
    void anOldJournalWrittenInPlaceIsNoProofOnceTheCoordinatorKnowsBetter() {
        Life first = process().start();
        first.run(4);
        byte[] old = disk.contents();
        first.run(40);
        disk.crash(0);
        disk.overwrite(old);

        Life second = process().start();
        assertThat(second.ids().workerId()).isEqualTo(1);
        second.run(2);
    }

    @Test
    void aDamagedJournalIsNoProof() {
        process().start().run(4);
        disk.crash(0);
        byte[] damaged = disk.contents();
        damaged[100] ^= 1;
        damaged[4196] ^= 1;
        disk.overwrite(damaged);

        Life second = process().start();
        assertThat(second.ids().workerId()).isEqualTo(1);
        second.run(2);
        assertThat(read().isProof()).isTrue();
    }

    @Test
    void anotherNamespacesJournalProvesNothing() {
        process().start().run(4);
        disk.crash(0);
        Journal journal = disk.open(clocks);
        LeasingRegistry other = LeasingRegistry.open(
                new FaultyStore(heap.another(), true),
                new FileLeaseJournal(journal, "invoices"),
                new LeasingRegistry.Config(
                        "invoices", "a", RegistrySettings.UNSTATED, Duration.ofSeconds(2), status -> {}, clocks));
        assertThat(other.newGenerator().workerId()).isEqualTo(1);
    }

    @Test
    void whenTheDiskFailsIdsStopAtWhatIsReservedAndComeBackOnTheSameWorkerId() {
        Life process = process().start();
        process.run(4);
        disk.failSyncs();
        assertThatThrownBy(() -> process.run(2))
                .isInstanceOf(BoundReachedException.class)
                .hasMessageContaining(
                        "the journal reserves no more: writing /j/journal failed: No space left on device");
        process.keep();
        assertThat(process.registry.leases().get(0))
                .matches(status -> status.state() == LeaseState.DEGRADED)
                .matches(status -> status.reason().contains("No space left on device"));
        assertThatThrownBy(() -> process.run(10)).isInstanceOf(BoundReachedException.class);

        disk.heal();
        clocks.advanceMillis(6_000);
        process.keep();
        process.next();
        assertThat(process.ids().workerId()).isZero();
        assertThat(process.registry.leases().get(0).state()).isEqualTo(LeaseState.HELD);
        assertThat(slot(0).epoch()).isEqualTo(2);
        process.run(70);
        assertThat(process.ids().workerId()).isZero();
    }

    @Test
    void aLeaseThatCannotBeMarkedClosedIsNotGivenBack() {
        Life process = process().start();
        process.run(2);
        disk.failSyncs();
        process.ids().close();

        assertThat(slot(0).state()).isEqualTo(SlotState.HELD);
        assertThat(process.registry.leases()).isEmpty();
        long until = slot(0).until();
        clocks.advanceMillis(60_000);
        process.keep();
        assertThat(slot(0).until()).isEqualTo(until);
    }

    @Test
    void aRegistryThatClosesMarksItsJournal() {
        Life process = process().start();
        process.run(2);
        process.registry.close();

        assertThat(slot(0).state()).isEqualTo(SlotState.RELEASED);
        assertThat(process.journal().state().name()).isEqualTo("CLOSED");
        assertThat(read().status()).isEqualTo(JournalReading.Status.CLOSED);
        assertThatThrownBy(process::next).isNotInstanceOf(AssertionError.class);
    }

    @Test
    void anEvictedLeaseMovesOnAndTheJournalWithIt() {
        Life process = process().start();
        process.run(2);
        evict();
        clocks.advanceMillis(25_000);
        process.keep();
        assertThatThrownBy(process::next).isInstanceOf(LeaseLostException.class);
        process.keep();
        process.next();
        assertThat(process.ids().workerId()).isEqualTo(1);
        disk.crash(0);

        assertThat(process().start().ids().workerId()).isEqualTo(1);
    }

    @Test
    void aFullRangeIsNoHindranceForOneThatGoesOn() {
        RegistrySettings one = new RegistrySettings(null, null, null, new WorkerRange(0, 0));
        process(false, one).start().run(4);
        disk.crash(0);

        assertThat(process(false, one).start().ids().workerId()).isZero();
    }
}
