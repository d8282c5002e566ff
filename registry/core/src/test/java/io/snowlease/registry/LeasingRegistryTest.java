package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.snowlease.generator.BoundReachedException;
import io.snowlease.generator.GeneratorClosedException;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.LeaseLostException;
import io.snowlease.generator.SnowflakeGenerator;
import io.snowlease.registry.memory.MemoryStore;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The registry over a heap, with time moved by the tests: D = 60 s, S = 5 s. */
class LeasingRegistryTest {
    private static final RegistrySettings ONE_WORKER = new RegistrySettings(null, null, null, new WorkerRange(0, 0));

    private final ManualClocks clocks = new ManualClocks();
    private final MemoryStore heap = new MemoryStore(clocks);
    private final List<LeasingRegistry> opened = new ArrayList<>();
    private final List<LeaseStatus> told = new ArrayList<>();

    private static final class Node {
        final FaultyStore store;
        final LeasingRegistry registry;

        Node(FaultyStore store, LeasingRegistry registry) {
            this.store = store;
            this.registry = registry;
        }

        void keep() {
            registry.keeper().lock().lock();
            try {
                registry.keeper().runDue();
            } finally {
                registry.keeper().lock().unlock();
            }
        }
    }

    private Node node(String name, RegistrySettings settings, boolean neverUsed, Duration startTimeout) {
        FaultyStore store = new FaultyStore(heap.another(), neverUsed);
        LeasingRegistry registry = LeasingRegistry.open(
                store,
                LeaseJournal.NONE,
                new LeasingRegistry.Config("orders", name, settings, startTimeout, told::add, clocks));
        opened.add(registry);
        return new Node(store, registry);
    }

    private Node node(String name) {
        return node(name, RegistrySettings.UNSTATED, true, Duration.ofSeconds(30));
    }

    @AfterEach
    void close() {
        opened.forEach(LeasingRegistry::close);
    }

    private SlotRecord slot(int worker) {
        return Objects.requireNonNull(heap.read(worker).record());
    }

    private void overwrite(SlotRecord next) {
        StoredSlot present = heap.read(next.worker());
        assertThat(heap.write(heap.view(), present, next, Long.MAX_VALUE)).isEqualTo(WriteResult.WRITTEN);
    }

    /** Moves time on as a running keeper sees it. */
    private void pass(Node node, long seconds) {
        for (long i = 0; i < seconds; i++) {
            clocks.advanceMillis(1000);
            node.keep();
        }
    }

    private List<LeaseState> states() {
        return told.stream().map(LeaseStatus::state).toList();
    }

    @Test
    void nodesGetDistinctWorkerIdsEvenUnderOneName() {
        // CosId #771: two hosts whose names, IPs and pids are equal.
        IdGenerator first = node("host").registry.newGenerator();
        IdGenerator second = node("host").registry.newGenerator();
        assertThat(first.workerId()).isZero();
        assertThat(second.workerId()).isEqualTo(1);
        assertThat(first.nextId()).isNotEqualTo(second.nextId());
    }

    @Test
    void aNodeThatComesBackGetsItsOldSlotAgain() {
        node("a").registry.newGenerator();
        Node b = node("b");
        IdGenerator ids = b.registry.newGenerator();
        long last = ids.nextId();
        b.registry.close();
        assertThat(slot(1).state()).isEqualTo(SlotState.RELEASED);
        assertThat(slot(1).until()).isEqualTo(slot(1).last() + 1);

        IdGenerator again = node("b").registry.newGenerator();
        assertThat(again.workerId()).isEqualTo(1);
        assertThat(again.nextId()).isGreaterThan(last);
    }

    @Test
    void aClosedGeneratorIssuesNothingAndItsSlotIsFreeAtOnce() {
        Node node = node("a", ONE_WORKER, true, Duration.ZERO);
        IdGenerator ids = node.registry.newGenerator();
        ids.nextId();
        ids.close();
        assertThatThrownBy(ids::nextId).isInstanceOf(GeneratorClosedException.class);
        clocks.advanceMillis(1);
        assertThat(node.registry.newGenerator().workerId()).isZero();
    }

    @Test
    void aNewRegistryThatMayHaveBeenLostIsRefusedAtOnceNamingTheInstant() {
        assertThatThrownBy(() -> node("a", RegistrySettings.UNSTATED, false, Duration.ofSeconds(30)))
                .isInstanceOf(NotGrantableYetException.class)
                .hasMessage("registry in quarantine until 2026-06-01T12:01:10Z: no lease is granted before"
                        + " 2026-06-01T12:01:05Z, in 65000 ms by the coordinator's clock; try again then, or raise the"
                        + " start timeout");
        assertThat(clocks.wallMillis()).isEqualTo(ManualClocks.START_MILLIS);
    }

    @Test
    void aQuarantineThatEndsWithinTheStartTimeoutIsWaitedFor() {
        Node node = node("a", RegistrySettings.UNSTATED, false, Duration.ofSeconds(90));
        IdGenerator ids = node.registry.newGenerator();
        long quarantineUntil = node.registry.registry().quarantineUntil();
        assertThat(ids.layout().decode(ids.nextId()).timestampMillis()).isGreaterThanOrEqualTo(quarantineUntil);
    }

    @Test
    void aNodeThatStatesOtherSettingsIsRefusedWithBothValues() {
        node("a");
        RegistrySettings other = new RegistrySettings(null, Duration.ofSeconds(30), null, null);
        assertThatThrownBy(() -> node("b", other, true, Duration.ZERO))
                .isInstanceOf(RegistryMismatchException.class)
                .hasMessage("must equal the registry's: leaseDuration=PT30S, the registry has leaseDuration=PT1M; leave"
                        + " it out to adopt the registry's, or use another namespace");
        RegistrySettings seconds = new RegistrySettings(Layout.SECONDS, null, null, null);
        assertThatThrownBy(() -> node("b", seconds, true, Duration.ZERO))
                .isInstanceOf(RegistryMismatchException.class)
                .hasMessageContaining("layout=" + Layout.SECONDS)
                .hasMessageContaining("layout=" + Layout.CLASSIC);
    }

    @Test
    void aClockTooFarAheadIsRefusedNamingBothTimes() {
        node("a");
        clocks.stepWall(-60_000);
        ManualClocks ahead = new ManualClocks();
        assertThatThrownBy(() -> LeasingRegistry.open(
                        heap.another(),
                        LeaseJournal.NONE,
                        new LeasingRegistry.Config(
                                "orders", "b", RegistrySettings.UNSTATED, Duration.ZERO, told::add, ahead)))
                .isInstanceOf(ClockSkewException.class)
                .hasMessage("this node's clock (2026-06-01T12:00:00Z) is 60000 ms ahead of the coordinator's"
                        + " (2026-06-01T11:59:00Z), tolerated are 5000 ms: correct the clock (NTP) on whichever is"
                        + " wrong");
    }

    @Test
    void aSlowReplyIsNotTakenForAWrongClock() {
        node("b");
        FaultyStore store = new FaultyStore(heap.another(), true);
        store.onView = () -> clocks.advanceMillis(20_000);
        LeasingRegistry registry = LeasingRegistry.open(
                store,
                LeaseJournal.NONE,
                new LeasingRegistry.Config("orders", "a", RegistrySettings.UNSTATED, Duration.ZERO, told::add, clocks));
        opened.add(registry);
        assertThat(registry.newGenerator().nextId()).isPositive();
        assertThat(told).allMatch(status -> status.skewMillis() == 0);
    }

    @Test
    void anErrorSaysHowManyAreHeldAndWhenTheNextOneExpires() {
        // baidu uid-generator PR #88: all worker ids used.
        node("a", ONE_WORKER, true, Duration.ZERO).registry.newGenerator();
        Node other = node("b", RegistrySettings.UNSTATED, true, Duration.ZERO);
        assertThatThrownBy(() -> other.registry.newGenerator())
                .isInstanceOf(NoFreeWorkerException.class)
                .hasMessage("no free worker id: 1 of 1 (0-0) are held, the next one expires at 2026-06-01T12:01:05Z"
                        + " unless it is renewed; stop a node, or use a layout with more worker bits");
    }

    @Test
    void idsStopAtTheBoundWhileTheCoordinatorIsAwayAndComeBackByThemselves() {
        // Leaf PR #94 (wish): generation stops at the bound, says why, and resumes by itself.
        Node node = node("a");
        IdGenerator ids = node.registry.newGenerator();
        node.store.away = true;
        pass(node, 59);
        long last = ids.nextId();
        assertThat(states()).containsExactly(LeaseState.HELD, LeaseState.DEGRADED);

        pass(node, 2);
        assertThatThrownBy(ids::nextId)
                .isInstanceOf(BoundReachedException.class)
                .hasMessageContaining("2026-06-01T12:01:00Z");
        assertThat(states()).containsExactly(LeaseState.HELD, LeaseState.DEGRADED, LeaseState.EXPIRED);

        node.store.away = false;
        pass(node, 12);
        assertThat(ids.nextId()).isGreaterThan(last);
        assertThat(states()).endsWith(LeaseState.LOST, LeaseState.HELD);
        assertThat(node.registry.stats().fenced()).isEqualTo(1);
    }

    @Test
    void anOutageShorterThanTheLeaseCostsNothing() {
        Node node = node("a");
        IdGenerator ids = node.registry.newGenerator();
        node.store.away = true;
        pass(node, 45);
        node.store.away = false;
        pass(node, 120);
        ids.nextId();
        assertThat(ids.workerId()).isZero();
        assertThat(slot(0).epoch()).isEqualTo(1);
        assertThat(states()).containsExactly(LeaseState.HELD, LeaseState.DEGRADED, LeaseState.HELD);
    }

    @Test
    void aHolderWhoseSlotWasTakenIssuesNothingAtOrAboveTheOthersFirstTimestamp() {
        // SnowflakeId.AutoRegister #3: A holds 1, Redis away longer than the lease, B takes 1, A comes back.
        Node a = node("a", ONE_WORKER, true, Duration.ZERO);
        IdGenerator ofA = a.registry.newGenerator();
        long lastOfA = ofA.nextId();
        a.store.away = true;
        clocks.advanceMillis(66_000);
        Node b = node("b", RegistrySettings.UNSTATED, true, Duration.ZERO);
        IdGenerator ofB = b.registry.newGenerator();
        assertThat(ofB.workerId()).isZero();
        long firstOfB = ofB.nextId();
        assertThat(firstOfB).isGreaterThan(lastOfA);

        a.store.away = false;
        a.keep();
        assertThatThrownBy(ofA::nextId)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("worker 0 was taken by b (epoch 2)");

        ofB.close();
        pass(a, 10);
        assertThat(ofA.nextId()).isGreaterThan(firstOfB);
    }

    @Test
    void anEvictedHolderMovesToAnotherWorkerIdAndItsIdsGoOnIncreasing() {
        Node node = node("a");
        IdGenerator ids = node.registry.newGenerator();
        long before = ids.nextId();
        new StoreAdmin(heap.another(), "orders", Duration.ofSeconds(1), clocks).evict(0);
        pass(node, 25);
        assertThat(ids.workerId()).isEqualTo(1);
        assertThat(ids.nextId()).isGreaterThan(before);
        assertThat(told)
                .anyMatch(status ->
                        status.state() == LeaseState.LOST && status.reason().equals("evicted by an operator"));
    }

    @Test
    void aClaimWhoseReplyIsLostIsReadBack() {
        Node node = node("a");
        node.store.losesNextReply = true;
        assertThat(node.registry.newGenerator().workerId()).isZero();
        assertThat(heap.list()).hasSize(1);
    }

    @Test
    void aRenewalWhoseReplyIsLostIsReadBack() {
        Node node = node("a");
        node.registry.newGenerator();
        node.store.losesNextReply = true;
        pass(node, 25);
        assertThat(node.registry.stats().failedRenewals()).isZero();
        assertThat(node.registry.leases().get(0).untilMillis()).isEqualTo(slot(0).until());
    }

    @Test
    void aRenewalThatNeverArrivedIsTriedAgain() {
        Node node = node("a");
        node.registry.newGenerator();
        node.store.losesNextRequest = true;
        pass(node, 30);
        assertThat(node.registry.stats().failedRenewals()).isEqualTo(1);
        assertThat(node.registry.stats().renewals()).isEqualTo(1);
    }

    @Test
    void aListenerThatThrowsDoesNotStopTheKeeper() {
        FaultyStore store = new FaultyStore(heap.another(), true);
        LeasingRegistry registry = LeasingRegistry.open(
                store,
                LeaseJournal.NONE,
                new LeasingRegistry.Config(
                        "orders",
                        "a",
                        RegistrySettings.UNSTATED,
                        Duration.ZERO,
                        status -> {
                            throw new AssertionError("listener");
                        },
                        clocks));
        opened.add(registry);
        registry.newGenerator();
        pass(new Node(store, registry), 60);
        assertThat(registry.stats().renewals()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void aWorkerRangeOfARegistryIsKept() {
        // CosId #773: two data centres, each with its own coordinator, share one layout.
        RegistrySettings upper = new RegistrySettings(null, null, null, new WorkerRange(512, 1023));
        assertThat(node("a", upper, true, Duration.ZERO).registry.newGenerator().workerId())
                .isEqualTo(512);
        RegistrySettings lower = new RegistrySettings(null, null, null, new WorkerRange(0, 511));
        assertThatThrownBy(() -> node("b", lower, true, Duration.ZERO))
                .isInstanceOf(RegistryMismatchException.class)
                .hasMessageContaining("workers=0-511")
                .hasMessageContaining("workers=512-1023");
    }

    @Test
    void aClockBehindTheFirstUnusedTimestampIsNamedWithTheDifference() {
        Node node = node("a", ONE_WORKER, true, Duration.ofSeconds(30));
        IdGenerator ids = node.registry.newGenerator();
        ids.nextId();
        ids.close();
        ManualClocks behind = new ManualClocks();
        behind.stepWall(-60_000);
        LeasingRegistry late = LeasingRegistry.open(
                heap.another(),
                LeaseJournal.NONE,
                new LeasingRegistry.Config(
                        "orders", "b", RegistrySettings.UNSTATED, Duration.ofSeconds(30), told::add, behind));
        opened.add(late);
        assertThatThrownBy(late::newGenerator)
                .isInstanceOf(NotGrantableYetException.class)
                .hasMessage("this node's clock (2026-06-01T11:59:00Z) is 60 s (60001 ms) behind the first"
                        + " timestamp not used yet, 2026-06-01T12:00:00.001Z: ids come when it has got there; if it was set"
                        + " back by mistake, correct it (NTP)");
        assertThat(slot(0).state()).isEqualTo(SlotState.RELEASED);
    }

    @Test
    void aClosedRegistryLeasesNothing() {
        Node node = node("a");
        node.registry.close();
        assertThatThrownBy(node.registry::newGenerator)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("registry of namespace 'orders' is closed");
    }

    @Test
    void warnsWellBeforeTheLastWorkerIdIsHeld() {
        // Leaf #84, #26: slots ran out unnoticed.
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(CapacityWarning.class);
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
        logger.addAppender(log);
        log.start();
        RegistrySettings five = new RegistrySettings(null, null, null, new WorkerRange(0, 4));
        Node node = node("a", five, true, Duration.ZERO);
        for (int i = 0; i < 3; i++) {
            node.registry.newGenerator();
        }
        pass(node, 25);
        assertThat(log.list).isEmpty();
        node.registry.newGenerator();
        pass(node, 25);
        logger.detachAppender(log);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("worker ids are running out: 4 of 5 (0-4) are held on test:1; stop nodes that are not"
                        + " needed, or move to a layout with more worker bits");
    }

    @Test
    void aLeaseWhoseRecordIsGarbageIsDegradedWithThatReasonAndHeldAgainOncePutRight() {
        Node node = node("a");
        IdGenerator first = node.registry.newGenerator();
        IdGenerator second = node.registry.newGenerator();
        node.store.malformed = 0;
        pass(node, 30);
        assertThat(node.registry.leases())
                .extracting(LeaseStatus::state, LeaseStatus::reason)
                .containsExactly(
                        tuple(LeaseState.DEGRADED, "slot 0: must be a JSON object, found nothing"),
                        tuple(LeaseState.HELD, ""));
        assertThat(first.nextId()).isNotEqualTo(second.nextId());

        node.store.malformed = -1;
        pass(node, 25);
        assertThat(node.registry.leases()).extracting(LeaseStatus::state).containsOnly(LeaseState.HELD);
        assertThat(first.workerId()).isZero();
    }

    @Test
    void aRegistryThatWasMadeAnewIsToldOfABoundEvenIfItsSettingsDoNotFit() {
        RegistrySettings minute = new RegistrySettings(null, Duration.ofSeconds(60), null, null);
        Node node = node("a", minute, true, Duration.ZERO);
        IdGenerator ids = node.registry.newGenerator();
        long bound = node.registry.leases().get(0).untilMillis();
        MemoryStore emptied = new MemoryStore(clocks);
        node.store.restartEmpty(emptied);
        RegistrySettings shorter = new RegistrySettings(null, Duration.ofSeconds(10), null, null);
        new StoreAdmin(emptied, "orders", Duration.ofSeconds(1), clocks).init(shorter, false, 0);
        assertThat(quarantineOf(emptied)).isLessThan(bound);

        pass(node, 25);
        assertThat(quarantineOf(emptied)).isEqualTo(bound + 10_000);
        assertThat(node.registry.leases().get(0).reason()).contains("leaseDuration=PT1M", "leaseDuration=PT10S");
        ids.nextId();
    }

    private static long quarantineOf(MemoryStore store) {
        return Objects.requireNonNull(store.view().record()).quarantineUntil();
    }

    @Test
    void aGeneratorClosedWhileItsNextLeaseIsClaimedIssuesNothingAndGivesBoth() {
        Node node = node("a");
        IdGenerator ids = node.registry.newGenerator();
        SlotRecord held = slot(0);
        overwrite(new SlotRecord(
                0, held.epoch() + 1, "b", "other", SlotState.HELD, held.until(), held.until() + 60_000, 0, 0, 0));
        node.store.onView = () -> {
            if (states().contains(LeaseState.LOST)) {
                node.store.onView = () -> {};
                ids.close();
            }
        };
        pass(node, 30);
        assertThatThrownBy(ids::nextId).isInstanceOf(GeneratorClosedException.class);
        assertThat(node.registry.leases()).isEmpty();
        assertThat(heap.list())
                .filteredOn(slot -> slot.node().equals("a"))
                .allMatch(slot -> slot.state() == SlotState.RELEASED);
    }

    @Test
    void aRegistryClosedWhileAGeneratorIsMadeHandsOutNoneAndHoldsNothing() throws Exception {
        Node node = node("a");
        CountDownLatch inClaim = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        node.store.onView = () -> {
            inClaim.countDown();
            awaitQuietly(goOn);
        };
        CompletableFuture<IdGenerator> made = CompletableFuture.supplyAsync(node.registry::newGenerator);
        inClaim.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(node.registry::close);
        await().until(() -> node.registry.keeper().lock().hasQueuedThreads());
        assertThat(closing).isNotDone();
        goOn.countDown();
        closing.join();
        assertThatThrownBy(made::join).hasCauseInstanceOf(RuntimeException.class);
        assertThat(heap.list()).noneMatch(slot -> slot.state() == SlotState.HELD);
        assertThat(node.registry.leases()).isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anInterruptedThreadGivesItsWorkerIdBackAndStaysInterrupted() {
        IdGenerator ids = node("a").registry.newGenerator();
        Thread.currentThread().interrupt();
        ids.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(slot(0).state()).isEqualTo(SlotState.RELEASED);
        assertThat(states()).endsWith(LeaseState.CLOSED);
    }

    @Test
    void closingManyLeasesAsksACoordinatorThatIsAwayOnce() {
        Node node = node("a");
        for (int i = 0; i < 5; i++) {
            node.registry.newGenerator();
        }
        AtomicInteger looks = new AtomicInteger();
        node.store.beforeView = looks::incrementAndGet;
        node.store.away = true;
        node.registry.close();
        assertThat(looks).hasValue(1);
        assertThat(states()).filteredOn(state -> state == LeaseState.CLOSED).hasSize(5);
    }

    @Test
    void aGeneratorOfAnotherLayoutIsRefused() {
        Node node = node("a");
        assertThatThrownBy(() -> node.registry.newGenerator(options -> SnowflakeGenerator.builder(Layout.LEAF)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("options must return the builder they were given: it has the registry's layout, "
                        + Layout.CLASSIC);
        assertThat(heap.list()).isEmpty();
    }

    @Test
    void anOwnSlotWhoseFirstTimestampLiesAheadDoesNotBlockTheOthers() {
        Node node = node("a");
        node.registry.newGenerator().close();
        SlotRecord released = slot(0);
        overwrite(new SlotRecord(
                0,
                released.epoch(),
                "a",
                released.token(),
                SlotState.RELEASED,
                released.floor(),
                clocks.wallMillis() + 50_000,
                clocks.wallMillis() + 49_999,
                released.claimedAt(),
                released.renewedAt()));
        assertThat(node.registry.newGenerator().workerId()).isEqualTo(1);
    }

    @Test
    void aSlowRequestDoesNotMakeAWrongServerClockLookRight() {
        ManualClocks server = new ManualClocks();
        server.stepWall(-300_000);
        MemoryStore offMinutes = new MemoryStore(server);
        FaultyStore store = new FaultyStore(offMinutes.another(), false);
        store.beforeView = () -> {
            server.advanceMillis(300_000);
            clocks.advanceMillis(300_000);
        };
        assertThatThrownBy(() -> LeasingRegistry.open(
                        store,
                        LeaseJournal.NONE,
                        new LeasingRegistry.Config(
                                "orders", "a", RegistrySettings.UNSTATED, Duration.ZERO, told::add, clocks)))
                .isInstanceOf(CoordinatorUnavailableException.class)
                .hasMessageContaining(
                        "an answer took 300000 ms, too long to tell whether the clocks agree within 5000 ms");
        assertThat(offMinutes.view().record()).isNull();
    }

    @Test
    void aCapacityLookThatFailsCostsNoRenewal() {
        Node node = node("a", ONE_WORKER, true, Duration.ZERO);
        node.registry.newGenerator();
        node.store.losesBounds = true;
        pass(node, 25);
        assertThat(node.registry.leases().get(0).untilMillis()).isEqualTo(slot(0).until());
        assertThat(node.registry.stats().failedRenewals()).isZero();
    }

    @Test
    void aDurationThatCanNotBeStoredIsRefused() {
        assertThatThrownBy(() -> new RegistrySettings(null, Duration.ofNanos(1_000_500_000), null, null))
                .hasMessage("must be whole milliseconds: leaseDuration=PT1.0005S");
        assertThatThrownBy(() -> new WorkerRange(0, Integer.MAX_VALUE))
                .hasMessage("must be first-last with 0 <= first <= last < 2147483647: workers=0-2147483647");
    }
}
