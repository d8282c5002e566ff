package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.LeaseLostException;
import io.snowlease.generator.SnowflakeGenerator;
import io.snowlease.generator.SnowflakeGeneratorBuilder;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** {@link WorkerRegistry} on a store. */
final class LeasingRegistry implements WorkerRegistry {
    /** Even a start that is tried once waits for a renewal under way. */
    private static final Duration SHORTEST_LOCK_WAIT = Duration.ofSeconds(10);

    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    /** What it is opened with; see {@link WorkerRegistryBuilder}. */
    record Config(
            String namespace,
            String node,
            RegistrySettings settings,
            Duration startTimeout,
            LeaseListener listener,
            Clocks clocks) {}

    private final LeaseStore store;
    private final Config config;
    private final RegistryClient client;
    private final Layout layout;
    private final LeaseKeeper keeper;
    private volatile boolean closed;

    private LeasingRegistry(LeaseStore store, Config config, RegistryClient client, RegistryRecord opened) {
        this.store = store;
        this.config = config;
        this.client = client;
        this.layout = opened.parsedLayout();
        this.keeper = new LeaseKeeper(
                config.namespace(),
                layout,
                () -> Duration.ofMillis(registry().leaseMillis()),
                config.clocks(),
                RandomIds.random());
    }

    static WorkerRegistry connect(LeaseStore store, Config config) {
        LeasingRegistry registry = open(store, config);
        registry.keeper.start();
        return registry;
    }

    /** Without the keeper's thread, for tests that keep by themselves. */
    static LeasingRegistry open(LeaseStore store, Config config) {
        try {
            RegistryClient client = new RegistryClient(
                    store, config.settings(), config.clocks(), RandomIds::next, RandomIds.random(), LeaseRules::new);
            RegistryRecord opened = new StartDeadline(config.clocks(), config.startTimeout(), store.servers())
                    .retry(client::openGrantable)
                    .registry();
            return new LeasingRegistry(store, config, client, opened);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    @Override
    public IdGenerator newGenerator(UnaryOperator<SnowflakeGeneratorBuilder> options) {
        StartDeadline deadline = new StartDeadline(config.clocks(), config.startTimeout(), store.servers());
        SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder(layout).clocks(config.clocks());
        if (options.apply(builder) != builder) {
            throw new IllegalArgumentException(
                    "options must return the builder they were given: it has the registry's" + " layout, " + layout);
        }
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
            generator = builder.lease(kept.lease()).build();
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
        HeldBound granted = client.claim(config.node(), Long.MIN_VALUE, keeper.bounds());
        KeptLease kept = new KeptLease(
                keeper,
                client,
                config.node(),
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
            long local = config.clocks().wallMillis();
            throw new NotGrantableYetException(
                    "this node's clock (" + Instant.ofEpochMilli(local) + ") is " + (notBefore - local)
                            + " ms behind the first timestamp not used yet, " + Instant.ofEpochMilli(notBefore),
                    Instant.ofEpochMilli(notBefore),
                    notBefore - local);
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
            return action.get();
        } finally {
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
    public RegistryRecord registry() {
        return Objects.requireNonNull(client.registry(), "opened by connect");
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
        keeper.close();
        store.close();
    }
}
