package io.snowlease.registry.contract;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.held;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static io.snowlease.registry.contract.StoreSamples.quarantined;
import static io.snowlease.registry.contract.StoreSamples.recordOf;
import static io.snowlease.registry.contract.StoreSamples.registry;
import static io.snowlease.registry.contract.StoreSamples.registryOf;
import static io.snowlease.registry.contract.StoreSamples.released;
import static io.snowlease.registry.contract.StoreSamples.renewed;
import static io.snowlease.registry.contract.StoreSamples.taken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.SlotBound;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@link LeaseStore} promises, for every implementation to pass. */
public abstract class LeaseStoreContract {
    private static final long NO_LIMIT = Long.MAX_VALUE;
    private static final int THREADS = 8;

    private final List<LeaseStore> opened = Collections.synchronizedList(new ArrayList<>());
    private String namespace = "";

    /** The store under test, on a namespace of its own. */
    protected LeaseStore store;

    /** Opens another store on this namespace, as a second node would. */
    protected abstract LeaseStore open(String namespace);

    @BeforeEach
    final void openStore() {
        namespace = "contract-" + UUID.randomUUID();
        store = openAnother();
    }

    @AfterEach
    final void closeStores() {
        opened.forEach(LeaseStore::close);
    }

    /** A second node's store on the namespace of {@link #store}. */
    protected final LeaseStore openAnother() {
        LeaseStore another = open(namespace);
        opened.add(another);
        return another;
    }

    // Registry

    @Test
    protected void seesNoRegistryBeforeOneIsMade() {
        RegistryView view = store.view();

        assertThat(view.record()).isNull();
        assertThat(view.now()).isPositive();
        assertThat(view.serverIdentity()).isNotEmpty();
        assertThat(store.list()).isEmpty();
        assertThat(store.bounds(10)).isEmpty();
        assertThat(store.workersOf("a")).isEmpty();
        assertThat(store.read(0).record()).isNull();
    }

    @Test
    protected void makesARegistryOnce() {
        RegistryRecord first = registry(store, 0, 3);
        RegistryRecord second = registry(store, 0, 7);

        assertThat(store.create(first)).isTrue();
        assertThat(store.create(second)).isFalse();
        assertThat(openAnother().view().record()).isEqualTo(first);
    }

    @Test
    protected void makesOneRegistryWhenManyNodesStartAtOnce() throws Exception {
        List<Boolean> made = inParallel(thread -> {
            LeaseStore mine = openAnother();
            return mine.create(registry(mine, 0, 3));
        });

        assertThat(made).containsOnlyOnce(true);
    }

    @Test
    protected void replacesTheRegistryThatWasSeen() {
        RegistryView seen = makeRegistry(store, 0, 3);
        RegistryRecord next = quarantined(registryOf(seen), T);

        assertThat(store.replace(seen, next)).isTrue();
        assertThat(openAnother().view().record()).isEqualTo(next);
    }

    @Test
    protected void doesNotReplaceARegistryThatHasChanged() {
        RegistryView seen = makeRegistry(store, 0, 3);
        RegistryRecord next = quarantined(registryOf(seen), T);
        store.replace(seen, next);

        assertThat(store.replace(seen, quarantined(next, T + 1))).isFalse();
        assertThat(store.view().record()).isEqualTo(next);
    }

    @Test
    protected void doesNotReplaceARegistryThatIsNotThere() {
        RegistryView seen = store.view();

        assertThat(store.replace(seen, registry(store, 0, 3))).isFalse();
        assertThat(store.view().record()).isNull();
    }

    @Test
    protected void timeDoesNotRunBackwards() {
        makeRegistry(store, 0, 3);
        long first = store.view().now();

        assertThat(openAnother().view().now()).isGreaterThanOrEqualTo(first);
    }

    // Compare-and-set

    @Test
    protected void storesTheWholeRecord() {
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot free = store.nextNeverUsed(view).orElseThrow();
        SlotRecord next = held(free.worker(), "a", T + 60_000);

        assertThat(store.write(view, free, next, NO_LIMIT)).isEqualTo(WriteResult.WRITTEN);
        assertThat(openAnother().read(free.worker()).record()).isEqualTo(next);
    }

    @Test
    protected void aReplayedWriteAnswersWritten() {
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot before = store.nextNeverUsed(view).orElseThrow();
        int worker = before.worker();
        SlotRecord next = held(worker, "a", T + 60_000);
        store.write(view, before, next, NO_LIMIT);

        assertThat(store.write(view, before, next, NO_LIMIT)).isEqualTo(WriteResult.WRITTEN);
        assertThat(openAnother().write(view, before, next, NO_LIMIT)).isEqualTo(WriteResult.WRITTEN);
        assertThat(store.read(worker).record()).isEqualTo(next);
    }

    @Test
    protected void aLateWriteOfAnOutdatedRecordChangesNothing() {
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot claimed = claimNew(store, view, "a", T + 60_000);
        SlotRecord newer = taken(recordOf(claimed), "b", T + 120_000);
        store.write(view, claimed, newer, NO_LIMIT);

        SlotRecord late = renewed(recordOf(claimed), T + 180_000);

        assertThat(store.write(view, claimed, late, NO_LIMIT)).isEqualTo(WriteResult.SLOT_CHANGED);
        assertThat(store.read(claimed.worker()).record()).isEqualTo(newer);
    }

    /** Epoch and token are the same in all three records: comparing those alone would lower the bound. */
    @Test
    protected void aLateRenewalDoesNotLowerTheBoundOfANewerOne() {
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot claimed = claimNew(store, view, "a", T + 60_000);
        SlotRecord newer = renewed(recordOf(claimed), T + 120_000);
        SlotRecord late = renewed(recordOf(claimed), T + 80_000);
        store.write(view, claimed, newer, NO_LIMIT);

        assertThat(store.write(view, claimed, late, NO_LIMIT)).isEqualTo(WriteResult.SLOT_CHANGED);
        assertThat(store.read(claimed.worker()).record()).isEqualTo(newer);
    }

    @Test
    protected void refusesAWritePlannedOnAnOutdatedRegistry() {
        RegistryView outdated = makeRegistry(store, 0, 3);
        StoredSlot claimed = claimNew(store, outdated, "a", T + 60_000);
        openAnother().replace(outdated, quarantined(registryOf(outdated), T));

        SlotRecord next = renewed(recordOf(claimed), T + 120_000);

        assertThat(store.write(outdated, claimed, next, NO_LIMIT)).isEqualTo(WriteResult.REGISTRY_CHANGED);
        assertThat(store.read(claimed.worker()).record()).isEqualTo(claimed.record());
        assertThat(store.write(store.view(), claimed, next, NO_LIMIT)).isEqualTo(WriteResult.WRITTEN);
    }

    @Test
    protected void refusesAWritePlannedOnNoRegistry() {
        RegistryView none = store.view();
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot claimed = claimNew(store, view, "a", T + 60_000);

        assertThat(store.write(none, claimed, renewed(recordOf(claimed), T + 70_000), NO_LIMIT))
                .isEqualTo(WriteResult.REGISTRY_CHANGED);
    }

    @Test
    protected void refusesToWriteOneSlotOverAnother() {
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot claimed = claimNew(store, view, "a", T + 60_000);
        int other = claimed.worker() + 1;

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> store.write(view, claimed, held(other, "a", T), NO_LIMIT))
                .withMessage("must be one slot: expected.worker=" + claimed.worker() + ", next.worker=" + other);
    }

    @Test
    protected void oneOfManyRacingClaimsOfASlotWins() throws Exception {
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot seen = store.nextNeverUsed(view).orElseThrow();
        int worker = seen.worker();
        List<SlotRecord> wanted = Collections.nCopies(THREADS, worker).stream()
                .map(w -> held(w, "n", T))
                .toList();

        List<WriteResult> results = inParallel(thread -> openAnother().write(view, seen, wanted.get(thread), NO_LIMIT));

        assertThat(results).containsOnlyOnce(WriteResult.WRITTEN);
        assertThat(store.read(worker).record()).isEqualTo(wanted.get(results.indexOf(WriteResult.WRITTEN)));
    }

    @Test
    protected void oneOfManyRacingTakeoversOfAFreeSlotWins() throws Exception {
        RegistryView view = makeRegistry(store, 0, 3);
        StoredSlot seen = claimNew(store, view, "a", T);
        List<SlotRecord> wanted = Collections.nCopies(THREADS, seen).stream()
                .map(slot -> taken(recordOf(slot), UUID.randomUUID().toString(), T + 1))
                .toList();

        List<WriteResult> results = inParallel(thread -> openAnother().write(view, seen, wanted.get(thread), NO_LIMIT));

        assertThat(results).containsOnlyOnce(WriteResult.WRITTEN);
        assertThat(store.read(seen.worker()).record()).isEqualTo(wanted.get(results.indexOf(WriteResult.WRITTEN)));
    }

    // Never-used worker ids

    /** Leaf PR #108: two nodes that start together on an empty coordinator got one worker id. */
    @Test
    protected void nodesThatStartTogetherGetDistinctWorkerIds() throws Exception {
        RegistryView view = makeRegistry(store, 0, THREADS - 1);

        List<Integer> workers = inParallel(thread ->
                claimNew(openAnother(), view, "node-" + thread, T + 60_000).worker());

        assertThat(workers).doesNotHaveDuplicates().allMatch(worker -> worker >= 0 && worker < THREADS);
    }

    /** CosId #773: two data centres, each with its own coordinator and half of the worker ids. */
    @Test
    protected void handsOutTheRegistrysOwnRange() {
        RegistryView view = makeRegistry(store, 512, 1023);

        assertThat(claimNew(store, view, "a", T).worker()).isEqualTo(512);
        assertThat(claimNew(store, view, "b", T).worker()).isEqualTo(513);
        assertThat(store.list()).extracting(SlotRecord::worker).containsExactly(512, 513);
        assertThat(store.bounds(10)).extracting(SlotBound::worker).containsExactly(512, 513);
        assertThat(store.workersOf("b")).containsExactly(513);
        assertThat(openAnother().read(513).record()).isNotNull();
        assertThat(store.read(511).record()).isNull();
    }

    @Test
    protected void hasNoNeverUsedWorkerIdOnceAllWereLeased() {
        RegistryView view = makeRegistry(store, 512, 514);
        List<Integer> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            workers.add(claimNew(store, view, "n" + i, T + i).worker());
        }

        assertThat(workers).containsExactlyInAnyOrder(512, 513, 514);
        assertThat(store.nextNeverUsed(view)).isEmpty();
        assertThat(openAnother().nextNeverUsed(view)).isEmpty();
    }

    /** Whether it is written as given or as read again: both are the same slot, and only the first write counts. */
    @Test
    protected void aNeverUsedSlotIsGivenAsItWouldBeRead() {
        RegistryView view = makeRegistry(store, 512, 514);
        StoredSlot given = store.nextNeverUsed(view).orElseThrow();
        StoredSlot read = openAnother().read(given.worker());

        assertThat(given.record()).isNull();
        assertThat(read.record()).isNull();
        SlotRecord first = held(given.worker(), "a", T);
        assertThat(store.write(view, given, first, NO_LIMIT)).isEqualTo(WriteResult.WRITTEN);
        assertThat(openAnother().write(view, read, held(given.worker(), "b", T), NO_LIMIT))
                .isEqualTo(WriteResult.SLOT_CHANGED);
        assertThat(store.read(given.worker()).record()).isEqualTo(first);
    }

    /** A node that dies between finding a worker id and claiming it must not cost that worker id. */
    @Test
    protected void aWorkerIdThatWasFoundButNotClaimedIsFoundAgain() {
        RegistryView view = makeRegistry(store, 0, 2);
        openAnother().nextNeverUsed(view);
        openAnother().nextNeverUsed(view);

        List<Integer> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            workers.add(claimNew(store, view, "n" + i, T + i).worker());
        }

        assertThat(workers).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(store.nextNeverUsed(view)).isEmpty();
    }

    // Hints

    @Test
    protected void boundsFollowClaimRenewalAndRelease() {
        RegistryView view = makeRegistry(store, 0, 7);
        StoredSlot a = claimNew(store, view, "a", T + 300);
        StoredSlot b = claimNew(store, view, "b", T + 100);
        StoredSlot c = claimNew(store, view, "c", T + 200);
        assertThat(store.bounds(10))
                .containsExactly(bound(b, T + 100, false), bound(c, T + 200, false), bound(a, T + 300, false));

        store.write(view, b, renewed(recordOf(b), T + 400), NO_LIMIT);
        store.write(view, a, released(recordOf(a), T + 50), NO_LIMIT);
        assertThat(store.bounds(10))
                .containsExactly(bound(a, T + 50, true), bound(c, T + 200, false), bound(b, T + 400, false));

        store.write(view, store.read(a.worker()), taken(recordOf(store.read(a.worker())), "d", T + 500), NO_LIMIT);
        assertThat(openAnother().bounds(10))
                .containsExactly(bound(c, T + 200, false), bound(b, T + 400, false), bound(a, T + 500, false));
        assertThat(store.bounds(2)).extracting(SlotBound::worker).containsExactly(c.worker(), b.worker());
    }

    @Test
    protected void aRefusedWriteLeavesTheBoundsAlone() {
        RegistryView view = makeRegistry(store, 0, 7);
        StoredSlot a = claimNew(store, view, "a", T + 300);
        store.write(view, a, renewed(recordOf(a), T + 400), NO_LIMIT);

        store.write(view, a, renewed(recordOf(a), T + 350), NO_LIMIT);

        assertThat(store.bounds(10)).containsExactly(bound(a, T + 400, false));
    }

    @Test
    protected void aReleaseThatLeavesTheBoundAsItWasIsSeen() {
        RegistryView view = makeRegistry(store, 0, 7);
        StoredSlot a = claimNew(store, view, "a", T + 300);

        store.write(view, a, released(recordOf(a), T + 300), NO_LIMIT);

        assertThat(store.bounds(10)).containsExactly(bound(a, T + 300, true));
    }

    @Test
    protected void findsTheWorkerIdsOfANodeByName() {
        RegistryView view = makeRegistry(store, 0, 63);
        for (String node :
                List.of("a/b c\u2026\u00fc", "..", ".", "", "a", "A", "%2F", "orders-1.example", "\ud83d\ude80")) {
            int worker = claimNew(store, view, node, T).worker();

            assertThat(store.workersOf(node)).as(node).containsExactly(worker);
            assertThat(openAnother().workersOf(node)).as(node).containsExactly(worker);
        }
        assertThat(store.workersOf("nobody")).isEmpty();
    }

    @Test
    protected void findsTheLatestWorkerIdOfANodeFirst() {
        RegistryView view = makeRegistry(store, 0, 7);
        StoredSlot first = claimNew(store, view, "a", T + 10);
        StoredSlot second = claimLater(view, "a", T + 20, 1);
        assertThat(store.workersOf("a")).containsExactly(second.worker(), first.worker());

        store.write(view, first, later(taken(recordOf(first), "a", T + 30), 2), NO_LIMIT);
        assertThat(store.workersOf("a")).containsExactly(first.worker(), second.worker());
    }

    @Test
    protected void aNodeThatLostItsWorkerIdToAnotherIsNotFoundThere() {
        RegistryView view = makeRegistry(store, 0, 7);
        StoredSlot slot = claimNew(store, view, "a", T + 10);

        store.write(view, slot, taken(recordOf(slot), "b", T + 20), NO_LIMIT);

        assertThat(store.workersOf("a")).isEmpty();
        assertThat(store.workersOf("b")).containsExactly(slot.worker());
    }

    @Test
    protected void namesAtMostAHandfulOfWorkerIdsOfANode() {
        RegistryView view = makeRegistry(store, 0, 31);
        for (int i = 0; i < 20; i++) {
            claimNew(store, view, "same", T + i);
        }

        assertThat(store.workersOf("same")).hasSizeBetween(1, 10).doesNotHaveDuplicates();
    }

    @Test
    protected void racingClaimsUnderOneNameAllSucceed() throws Exception {
        RegistryView view = makeRegistry(store, 0, THREADS - 1);

        List<Integer> workers = inParallel(
                thread -> claimNew(openAnother(), view, "same", T + thread).worker());

        assertThat(workers).doesNotHaveDuplicates();
        assertThat(store.bounds(100)).extracting(SlotBound::until).isSorted().hasSize(THREADS);
        assertThat(store.workersOf("same")).isNotEmpty().isSubsetOf(workers);
    }

    @Test
    protected void listsAllRecordsByWorkerId() {
        RegistryView view = makeRegistry(store, 0, 7);
        List<SlotRecord> records = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            records.add(recordOf(claimNew(store, view, "n" + i, T - i)));
        }
        store.nextNeverUsed(view);

        assertThat(openAnother().list()).containsExactlyElementsOf(records);
    }

    // Ends

    @Test
    protected void callsOnAClosedStoreEnd() {
        RegistryView view = makeRegistry(store, 0, 7);
        StoredSlot slot = claimNew(store, view, "a", T);
        store.close();
        store.close();

        assertUnavailable(() -> store.view());
        assertUnavailable(() -> store.create(registryOf(view)));
        assertUnavailable(() -> store.replace(view, registryOf(view)));
        assertUnavailable(() -> store.workersOf("a"));
        assertUnavailable(() -> store.nextNeverUsed(view));
        assertUnavailable(() -> store.bounds(1));
        assertUnavailable(() -> store.read(0));
        assertUnavailable(() -> store.write(view, slot, renewed(recordOf(slot), T + 1), NO_LIMIT));
        assertUnavailable(() -> store.list());
    }

    /** Whether it answers or gives up: it does not hang, and the flag stays set. */
    @Test
    protected void anInterruptedCallEndsWithTheFlagSet() {
        RegistryView view = makeRegistry(store, 0, 7);
        StoredSlot slot = claimNew(store, view, "a", T);
        List<Callable<?>> calls = List.of(
                () -> store.view(),
                () -> store.read(0),
                () -> store.bounds(1),
                () -> store.workersOf("a"),
                () -> store.nextNeverUsed(view),
                () -> store.list(),
                () -> store.write(view, slot, renewed(recordOf(slot), T + 1), NO_LIMIT));
        for (Callable<?> call : calls) {
            Thread.currentThread().interrupt();
            try {
                call.call();
            } catch (Exception e) {
                assertThat(e).isInstanceOf(StoreUnavailableException.class);
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
        assertThat(store.view().record()).isEqualTo(view.record());
    }

    @Test
    protected void namesItsServers() {
        assertThat(store.servers()).isNotEmpty();
        assertThat(store.lagMillis()).isNotNegative();
    }

    private StoredSlot claimLater(RegistryView view, String node, long until, int millis) {
        StoredSlot free = store.nextNeverUsed(view).orElseThrow();
        store.write(view, free, later(held(free.worker(), node, until), millis), NO_LIMIT);
        return store.read(free.worker());
    }

    private static SlotRecord later(SlotRecord slot, int millis) {
        return new SlotRecord(
                slot.worker(),
                slot.epoch(),
                slot.node(),
                slot.token(),
                slot.state(),
                slot.floor(),
                slot.until(),
                slot.last(),
                T + millis,
                T + millis);
    }

    private static SlotBound bound(StoredSlot slot, long until, boolean released) {
        return new SlotBound(slot.worker(), until, released);
    }

    private static void assertUnavailable(Callable<?> call) {
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(call::call);
    }

    /** Runs {@code task} on {@link #THREADS} threads that start together; results by thread. */
    private static <R> List<R> inParallel(Task<R> task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Future<R>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                running.add(pool.submit(() -> {
                    start.await(30, TimeUnit.SECONDS);
                    return task.run(thread);
                }));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> result : running) {
                results.add(result.get(60, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    @FunctionalInterface
    private interface Task<R> {
        R run(int thread) throws Exception;
    }
}
