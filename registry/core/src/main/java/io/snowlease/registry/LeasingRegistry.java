package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.LeaseLostException;
import io.snowlease.generator.SnowflakeGenerator;
import io.snowlease.generator.SnowflakeGeneratorBuilder;
import io.snowlease.registry.LeaseJournal.Proof;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@link WorkerRegistry} on a store. */
final class LeasingRegistry implements WorkerRegistry {
    /** Even a start that is tried once waits for a renewal under way. */
    private static final Duration SHORTEST_LOCK_WAIT = Duration.ofSeconds(10);

    /** What a store was opened with bounds its calls all the same. */
    private static final Duration UNLIMITED = Duration.ofDays(1);

    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    /** What it is opened with; see {@link WorkerRegistryBuilder}. */
    record Config(
            String namespace,
            String node,
            RegistrySettings settings,
            Duration startTimeout,
            LeaseListener listener,
            Clocks clocks) {}

    /** What the keeper goes by until it has read the registry: to renew soon after a start by the journal alone. */
    private static final Duration UNKNOWN_LEASE_DURATION = Duration.ofSeconds(3);

    private final LeaseStore store;
    private final Config config;
    private final RegistryClient client;
    private final LeaseJournal journal;
    private final LeaseStart start;
    private final Layout layout;
    private final LeaseKeeper keeper;
    private volatile boolean closed;

    private LeasingRegistry(LeaseStore store, Config config, RegistryClient client, LeaseStart start, Layout layout) {
        this.store = store;
        this.config = config;
        this.client = client;
        this.start = start;
        this.journal = start.journal();
        this.layout = layout;
        this.keeper = new LeaseKeeper(
                config.namespace(),
                layout,
                client,
                () -> client.registry() == null
                        ? UNKNOWN_LEASE_DURATION
                        : Duration.ofMillis(registry().leaseMillis()),
                config.clocks(),
                RandomIds.random());
    }

    static WorkerRegistry connect(LeaseStore store, LeaseJournal journal, Config config) {
        LeasingRegistry registry = open(store, journal, config);
        registry.keeper.start();
        return registry;
    }

    /** Without the keeper's thread, for tests that keep by themselves. */
    static LeasingRegistry open(LeaseStore store, LeaseJournal journal, Config config) {
        boolean opened = false;
        try {
            RegistryClient client = new RegistryClient(
                    store,
                    pinned(config.settings(), journal.proof()),
                    config.clocks(),
                    RandomIds::next,
                    RandomIds.random(),
                    LeaseRules::new);
            if (journal.knowsNamespace()) {
                client.namespaceWasUsed();
            }
            limitCalls(store, config);
            LeaseStart start = new LeaseStart(client, journal, config.node(), config.clocks(), RandomIds::next);
            Layout layout = new StartDeadline(config.clocks(), config.startTimeout(), store.servers())
                    .retry(() -> layoutOf(client, start, config.settings()));
            store.limitCalls(UNLIMITED);
            LeasingRegistry registry = new LeasingRegistry(store, config, client, start, layout);
            opened = true;
            return registry;
        } finally {
            if (!opened) {
                journal.close();
                store.close();
            }
        }
    }

    /** One call must not outlast the whole start; one try has the time of one call. */
    private static void limitCalls(LeaseStore store, Config config) {
        store.limitCalls(config.startTimeout().isZero() ? UNLIMITED : config.startTimeout());
    }

    /** A lease that may be gone on with holds its namespace's layout against whatever the coordinator has (I8). */
    private static RegistrySettings pinned(RegistrySettings stated, @Nullable Proof proof) {
        return proof == null || stated.layout() != null
                ? stated
                : new RegistrySettings(proof.layout(), stated.leaseDuration(), stated.maxSkew(), stated.workers());
    }

    /** The registry's; without an answer that of a lease in the journal that still lasts. */
    private static Layout layoutOf(RegistryClient client, LeaseStart start, RegistrySettings stated) {
        Proof proof = start.journal().proof();
        if (proof == null) {
            return client.openGrantable().registry().parsedLayout();
        }
        try {
            // What goes on needs no grant: a quarantine is no hindrance.
            return client.open(start.provenBounds()).registry().parsedLayout();
        } catch (StoreUnavailableException e) {
            if (!LeaseStart.isAway(e) || !start.canStartAlone() || !fits(proof, stated)) {
                throw e;
            }
            start.foundAway(e);
            return proof.layout();
        }
    }

    private static boolean fits(Proof proof, RegistrySettings stated) {
        return (stated.layout() == null || stated.layout().equals(proof.layout()))
                && (stated.workers() == null
                        || stated.workers().contains(proof.held().worker()));
    }

    @Override
    public IdGenerator newGenerator(UnaryOperator<SnowflakeGeneratorBuilder> options) {
        StartDeadline deadline = new StartDeadline(config.clocks(), config.startTimeout(), store.servers());
        SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder(layout).clocks(config.clocks());
        if (options.apply(builder) != builder) {
            throw new IllegalArgumentException(
                    "options must return the builder they were given: it has the registry's" + " layout, " + layout);
        }
        awaitJournal(deadline);
        while (true) {
            try {
                return newGenerator(deadline, builder);
            } catch (LeaseLostException e) {
                // Lost before its generator was there: this start took longer than a lease.
                if (closed || deadline.remainingMillis() <= 0) {
                    throw e;
                }
            }
        }
    }

    private IdGenerator newGenerator(StartDeadline deadline, SnowflakeGeneratorBuilder builder) {
        KeptLease kept = deadline.retry(() -> locked(deadline, this::claim));
        SnowflakeGenerator generator;
        try {
            generator = builder.lease(kept.first()).build();
            kept.use(Issuer.of(generator));
        } catch (RuntimeException e) {
            keeper.release(kept);
            throw e;
        }
        awaitFirstTimestamp(deadline, generator, kept);
        return generator;
    }

    private KeptLease claim() {
        if (closed) {
            throw isClosed();
        }
        HeldBound granted = start.first(keeper.bounds());
        KeptLease kept = new KeptLease(
                keeper,
                client,
                start,
                config.clocks(),
                config.listener(),
                granted,
                new Backoff(
                        RandomIds.random(),
                        shorter(LONGEST_BACKOFF, keeper.leaseDuration().dividedBy(10))));
        keeper.counts().claims.increment();
        keeper.add(kept);
        if (closed) {
            // Closed meanwhile: close() waits for the lock that this holds, and then gives it back.
            kept.stop("the registry was closed");
            throw isClosed();
        }
        return kept;
    }

    private IllegalStateException isClosed() {
        return new IllegalStateException("registry of namespace '" + config.namespace() + "' is closed");
    }

    private void awaitFirstTimestamp(StartDeadline deadline, SnowflakeGenerator generator, KeptLease kept) {
        long notBefore = kept.lease().notBeforeMillis();
        boolean reached = false;
        try {
            reached = deadline.awaitWall(notBefore);
        } finally {
            if (!reached) {
                generator.close();
            }
        }
        if (!reached) {
            throw NotGrantableYetException.clockBehind(config.clocks().wallMillis(), notBefore, "");
        }
    }

    /** A clock that was set back while no process ran is noticed before anything is asked of the coordinator. */
    private void awaitJournal(StartDeadline deadline) {
        long floor = journal.floorMillis();
        if (floor > config.clocks().wallMillis() && !deadline.awaitWall(floor)) {
            throw NotGrantableYetException.clockBehind(config.clocks().wallMillis(), floor, journal.where());
        }
    }

    private <T> T locked(StartDeadline deadline, Supplier<T> action) {
        ReentrantLock lock = keeper.lock();
        boolean locked;
        try {
            long waitMillis = Math.max(SHORTEST_LOCK_WAIT.toMillis(), deadline.remainingMillis());
            locked = lock.tryLock(waitMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryInterruptedException("while waiting for another call to " + store.servers());
        }
        if (!locked) {
            throw new CoordinatorUnavailableException(
                    store.servers(),
                    config.startTimeout(),
                    new IllegalStateException("another call of this registry to it is still under way"));
        }
        try {
            limitCalls(store, config);
            return action.get();
        } finally {
            store.limitCalls(UNLIMITED);
            keeper.lookForOrphans();
            lock.unlock();
        }
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    LeaseKeeper keeper() {
        return keeper;
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public RegistryRecord registry() {
        RegistryRecord read = client.registry();
        if (read == null) {
            throw new CoordinatorUnavailableException(store.servers(), config.startTimeout(), null);
        }
        return read;
    }

    @Override
    public List<LeaseStatus> leases() {
        return keeper.statuses();
    }

    @Override
    public KeeperStats stats() {
        return keeper.counts().snapshot();
    }

    @Override
    public void close() {
        closed = true;
        try {
            keeper.close();
        } finally {
            try {
                journal.close();
            } finally {
                store.close();
            }
        }
    }
}
