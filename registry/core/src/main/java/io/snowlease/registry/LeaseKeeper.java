package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of one registry: one daemon thread that renews each every D/3 ± 10 %, and retries with capped,
 * jittered backoff. All exchanges with the coordinator, this thread's and others', go through one lock.
 */
final class LeaseKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final double JITTER = 0.1;
    private static final Duration LONGEST_RELEASE = Duration.ofSeconds(10);
    private static final Duration ORPHANS_LOOK = Duration.ofSeconds(1);
    private static final Duration LONGEST_IDLE = Duration.ofMinutes(1);

    private final Clocks clocks;
    private final Layout layout;
    private final RegistryClient client;
    private final Supplier<Duration> leaseDuration;
    private final RandomGenerator random;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Entry> entries = new CopyOnWriteArrayList<>();
    private final Counts counts = new Counts();
    private final Thread thread;
    private volatile boolean closed;

    LeaseKeeper(
            String name,
            Layout layout,
            RegistryClient client,
            Supplier<Duration> leaseDuration,
            Clocks clocks,
            RandomGenerator random) {
        this.clocks = clocks;
        this.layout = layout;
        this.client = client;
        this.leaseDuration = leaseDuration;
        this.random = random;
        this.thread = new Thread(this::run, "snowlease-keeper-" + name);
        this.thread.setDaemon(true);
    }

    /** What was done so far. */
    static final class Counts {
        final LongAdder renewals = new LongAdder();
        final LongAdder failedRenewals = new LongAdder();
        final LongAdder fenced = new LongAdder();
        final LongAdder forgotten = new LongAdder();
        final LongAdder claims = new LongAdder();

        KeeperStats snapshot() {
            return new KeeperStats(renewals.sum(), failedRenewals.sum(), fenced.sum(), forgotten.sum(), claims.sum());
        }
    }

    private static final class Entry {
        final KeptLease lease;
        long dueNanos;

        Entry(KeptLease lease, long dueNanos) {
            this.lease = lease;
            this.dueNanos = dueNanos;
        }
    }

    void start() {
        thread.start();
    }

    ReentrantLock lock() {
        return lock;
    }

    Counts counts() {
        return counts;
    }

    Layout layout() {
        return layout;
    }

    long tickMillis() {
        return layout.tickMillis();
    }

    Duration leaseDuration() {
        return leaseDuration.get();
    }

    /** D/3 ± 10 %. */
    Duration renewalInterval() {
        double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
        return Duration.ofNanos((long) (leaseDuration.get().toNanos() / 3.0 * factor));
    }

    /** First timestamp that {@code issuer} can use under another lease (I7). */
    long floorAfter(Issuer issuer) {
        return layout.workerFirst() ? Long.MIN_VALUE : issuer.lastTimestampMillis() + layout.tickMillis();
    }

    /** Leases of this process that may still issue. */
    List<HeldBound> bounds() {
        return entries.stream().map(entry -> entry.lease.lease().bound()).toList();
    }

    List<LeaseStatus> statuses() {
        return entries.stream().map(entry -> entry.lease.status()).toList();
    }

    /** Takes care of {@code lease} from now on; call with the lock held. */
    void add(KeptLease lease) {
        // One that was gone on with without the coordinator may be near its end.
        long wait = Math.min(renewalInterval().toNanos(), lease.nanosToBound() / 3);
        entries.add(new Entry(lease, clocks.monotonicNanos() + wait));
        lease.tell();
        changed.signal();
    }

    /** Stops the generator at once, then gives the worker id back within a bounded time. */
    void release(KeptLease lease) {
        lease.stop("closed");
        release(() -> List.of(lease));
    }

    /** Stops the generator at once, and lets the lease expire. */
    void abandon(KeptLease lease, String why) {
        lease.stop("closed");
        lease.abandon(why);
        entries.removeIf(entry -> entry.lease == lease);
    }

    /** Gives back what can be within one bounded time; an interrupted thread does too, and stays interrupted. */
    private void release(Supplier<List<KeptLease>> leases) {
        boolean interrupted = Thread.interrupted();
        boolean locked = false;
        String hindrance = "another call to the coordinator takes too long";
        try {
            locked = lock.tryLock(LONGEST_RELEASE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
            hindrance = "interrupted while another call to the coordinator was under way";
        }
        try {
            boolean answered = locked;
            for (KeptLease lease : leases.get()) {
                if (answered) {
                    answered = lease.release();
                    hindrance = "the coordinator does not answer";
                } else {
                    lease.abandon(hindrance);
                }
                entries.removeIf(entry -> entry.lease == lease);
            }
            if (answered) {
                boolean unusedGivenBack = releaseOrphans();
            }
        } finally {
            if (locked) {
                lock.unlock();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Does what is due; returns how long until something is due again, in ns. Call with the lock held. */
    long runDue() {
        long next = LONGEST_IDLE.toNanos();
        for (Entry entry : entries) {
            long wait = entry.dueNanos - clocks.monotonicNanos();
            if (wait <= 0 || entry.lease.needsHelp()) {
                wait = Math.max(1, entry.lease.step().toNanos());
                entry.dueNanos = clocks.monotonicNanos() + wait;
            } else {
                entry.lease.tell();
            }
            next = Math.min(next, Math.min(wait, entry.lease.nanosToLook()));
        }
        if (entries.isEmpty() && !releaseOrphans()) {
            next = Math.min(next, ORPHANS_LOOK.toNanos());
        }
        return next;
    }

    /** A claim has ended, perhaps without its outcome being known; call with the lock held. */
    void lookForOrphans() {
        changed.signal();
    }

    /** Gives back what was granted to claims that nobody waits for; false if some may be left. */
    private boolean releaseOrphans() {
        try {
            return client.releaseOrphans(bounds());
        } catch (StoreUnavailableException | MalformedRecordException | RegistryException e) {
            LOG.debug("a worker id may have been granted to a claim that was given up; it is held until given back", e);
            return false;
        }
    }

    /** Nothing but {@link #close} ends the thread: without it all leases run out, and ids with them. */
    private void run() {
        lock.lock();
        try {
            while (!closed) {
                try {
                    long unusedLeft = changed.awaitNanos(roundNanos());
                } catch (InterruptedException e) {
                    if (!closed) {
                        LOG.error("the keeper was interrupted, and goes on", e);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private long roundNanos() {
        try {
            return runDue();
        } catch (Throwable e) {
            LOG.error("keeper's round failed; leases are renewed in the next", e);
            return renewalInterval().toNanos();
        }
    }

    /** Stops all generators, gives all leases back, and ends the thread. */
    void close() {
        closed = true;
        List<KeptLease> unusedStopped = stopAll();
        // Again under the lock: a claim under way may have added one meanwhile.
        release(this::stopAll);
        thread.interrupt();
    }

    private List<KeptLease> stopAll() {
        List<KeptLease> all = entries.stream().map(entry -> entry.lease).toList();
        all.forEach(lease -> lease.stop("the registry was closed"));
        return all;
    }
}
