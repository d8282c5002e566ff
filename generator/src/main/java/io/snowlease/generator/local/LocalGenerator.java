package io.snowlease.generator.local;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.SnowflakeGenerator;
import io.snowlease.generator.SnowflakeGeneratorBuilder;
import io.snowlease.generator.journal.Journal;
import io.snowlease.generator.journal.JournalEntry;
import io.snowlease.generator.journal.JournalException;
import io.snowlease.generator.journal.JournalReading;
import io.snowlease.generator.journal.JournalReading.Status;
import io.snowlease.generator.journal.JournalState;
import io.snowlease.generator.journal.JournalledLease;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * Ids on a worker id that no coordinator vouches for. <strong>Not promised: that no other process has the same worker
 * id</strong> (see {@link WorkerIdSource}). Promised, by the journal: no two ids made from one journal folder are equal,
 * whatever the clock does, however processes end, and whichever worker ids they had; and one process at a time uses it.
 *
 * <h2>The clock</h2>
 *
 * <p>The first timestamp is at or above all that the folder has ever reserved. After a clock was set back, calls are
 * refused ({@code ClockBehindException}, with the ms that are missing) and succeed again by themselves when it gets
 * there; after a crash that takes about a second. A clock that was far ahead has put the bound far ahead, and nothing
 * tells it from one that is far behind now: the way out is another worker id with a folder of its own, as its ids are all
 * fresh. {@link io.snowlease.generator.ClockPolicy#BORROW} goes on from the bound, ahead of the clock.
 *
 * <p>In a new folder nothing is known: ids that an earlier process made of the same worker id are then told apart by the
 * clock alone. So the folder must outlive the process: in a container, it belongs on a volume. The same goes for a
 * folder that was copied, restored, or moved to a disk or host of another name (a container that was made anew): its bound
 * holds, but the original may have gone on; there is a warning.
 *
 * <h2>A disk that fails</h2>
 *
 * <p>Ids stop at what was reserved. The lease is then recorded anew from there, after half a second, and again with
 * pauses that double up to half a minute; when the disk has taken it, ids go on.
 *
 * <p>Thread-safe.
 */
public final class LocalGenerator implements IdGenerator {
    private static final Logger LOG = System.getLogger(LocalGenerator.class.getName());
    /** In the place of the registry's id and the token: a coordinator's journal is not taken for one of these. */
    private static final String NO_COORDINATOR = "no coordinator";

    private static final Set<Status> BOUND_HOLDS = Set.of(Status.PROOF, Status.CLOSED, Status.COPIED);
    private static final long LOOK_MILLIS = 500;
    private static final long MAX_PAUSE_MILLIS = 30_000;

    private final Journal journal;
    private final SnowflakeGenerator ids;
    private final CountDownLatch closing = new CountDownLatch(1);
    private JournalledLease lease;

    private LocalGenerator(Journal journal, SnowflakeGenerator ids, JournalledLease lease) {
        this.journal = journal;
        this.ids = ids;
        this.lease = lease;
    }

    /**
     * As {@link #open(Layout, IntFunction, WorkerIdSource, UnaryOperator)}, with one folder for whatever worker id, and
     * the default options.
     */
    public static LocalGenerator open(Layout layout, Path journalFolder, WorkerIdSource source) {
        return open(layout, worker -> journalFolder, source, options -> options);
    }

    /**
     * Opens the journal and a generator on it. Does not wait: the first id may be refused while the clock is below the
     * journal's bound.
     *
     * @param journalFolder the journal's folder, by worker id: on a local disk, and kept when the process ends
     * @param options returns the builder it is given; may set clock policy, sequence start and wait
     * @throws LocalWorkerException if the source gives no worker id that fits the layout; or if the journal is damaged, of
     *     another layout, or of a lease from a coordinator
     * @throws io.snowlease.generator.journal.JournalLockedException if another process uses the folder
     * @throws JournalException if the journal can't be opened or written
     * @throws IllegalArgumentException if the layout's epoch is in the future
     * @throws io.snowlease.generator.LayoutExhaustedException if the layout's last instant has passed
     */
    public static LocalGenerator open(
            Layout layout,
            IntFunction<Path> journalFolder,
            WorkerIdSource source,
            UnaryOperator<SnowflakeGeneratorBuilder> options) {
        LocalGenerator opened = open(layout, journalFolder, source, options, Clocks.system(), new HostFacts());
        opened.startRecovery();
        return opened;
    }

    /** Without the thread that recovers from a failed disk. */
    static LocalGenerator open(
            Layout layout,
            IntFunction<Path> journalFolder,
            WorkerIdSource source,
            UnaryOperator<SnowflakeGeneratorBuilder> options,
            Clocks clocks,
            HostFacts host) {
        int worker = source.workerId(layout, host);
        SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder(layout);
        if (options.apply(builder) != builder) {
            throw new IllegalArgumentException(
                    "options must return the builder they were given: it has the layout " + layout);
        }
        Journal journal = Journal.open(journalFolder.apply(worker), clocks);
        boolean opened = false;
        try {
            LOG.log(
                    Level.WARNING,
                    "worker " + worker + " comes from " + source
                            + ", not from a coordinator, and may not be this process's alone: " + source.weakness());
            JournalledLease lease = record(journal, layout, first(journal, layout, worker));
            SnowflakeGenerator ids = builder.clocks(clocks).lease(lease).build();
            opened = true;
            return new LocalGenerator(journal, ids, lease);
        } finally {
            if (!opened) {
                journal.close();
            }
        }
    }

    private static LocalLease first(Journal journal, Layout layout, int worker) {
        JournalReading found = journal.found().forLayout(layout).forRegistry(NO_COORDINATOR);
        JournalEntry entry = found.entry();
        if (found.status() == Status.MISSING) {
            LOG.log(
                    Level.WARNING,
                    "the journal in " + journal.folder() + " is new: if worker " + worker
                            + " has issued ids before, only the clock keeps new ones from being the same");
            return lease(journal, layout, worker, 1, layout.epochMillis());
        }
        if (entry == null || !BOUND_HOLDS.contains(found.status())) {
            throw new LocalWorkerException(
                    "the journal in " + journal.folder() + " must vouch for worker " + worker + ": "
                            + found.reason() + "; use another worker id with another folder"
                            + (entry == null
                                    ? ", or, once the clock is certainly past all ids that were issued from this one, delete it"
                                    : ""));
        }
        if (found.status() == Status.COPIED) {
            LOG.log(
                    Level.WARNING,
                    "if another process has used worker " + worker
                            + " since, only the clock keeps new ids from being the same, as " + found.reason());
        }
        return lease(journal, layout, worker, entry.epoch() + 1, entry.reservedMillis());
    }

    private static LocalLease lease(Journal journal, Layout layout, int worker, long epoch, long notBeforeMillis) {
        return new LocalLease(worker, epoch, notBeforeMillis, layout.endMillis(), journal.folder());
    }

    private static JournalledLease record(Journal journal, Layout layout, LocalLease lease) {
        return journal.record(NO_COORDINATOR, layout, NO_COORDINATOR, lease);
    }

    private void startRecovery() {
        Thread thread = new Thread(this::keepRecovering, "snowlease-local");
        thread.setDaemon(true);
        thread.start();
    }

    private void keepRecovering() {
        long pauseMillis = LOOK_MILLIS;
        while (true) {
            try {
                if (closing.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                    return;
                }
                pauseMillis = recover() ? LOOK_MILLIS : Math.min(MAX_PAUSE_MILLIS, 2 * pauseMillis);
            } catch (InterruptedException e) {
                // Whoever interrupts this thread wants nothing that it could do.
            } catch (RuntimeException e) {
                pauseMillis = MAX_PAUSE_MILLIS;
                LOG.log(Level.ERROR, "recovering the journal in " + journal.folder() + " failed", e);
            }
        }
    }

    /** Goes on from what was reserved if the journal has failed; false if it fails again. */
    synchronized boolean recover() {
        if (journal.state() != JournalState.FAILED) {
            return true;
        }
        LocalLease next = lease(journal, layout(), workerId(), lease.epoch() + 1, lease.reservedMillis());
        try {
            lease = record(journal, layout(), next);
        } catch (JournalException e) {
            return false;
        }
        ids.switchTo(lease);
        LOG.log(Level.WARNING, "the journal in " + journal.folder() + " can be written again, and ids go on");
        return true;
    }

    @Override
    public long nextId() {
        return ids.nextId();
    }

    @Override
    public long nextId(long shardKey) {
        return ids.nextId(shardKey);
    }

    @Override
    public void nextIds(long[] dst) {
        ids.nextIds(dst);
    }

    @Override
    public void nextIds(long[] dst, long shardKey) {
        ids.nextIds(dst, shardKey);
    }

    @Override
    public Layout layout() {
        return ids.layout();
    }

    @Override
    public int workerId() {
        return ids.workerId();
    }

    /** The journal's folder, absolute. */
    public Path journalFolder() {
        return journal.folder();
    }

    /**
     * Ends issuing for good before it returns, records the last timestamp, and lets go of the journal's folder. Idempotent.
     * Where that can't be written, the next process starts at what was reserved, as after a crash.
     */
    @Override
    public void close() {
        closing.countDown();
        synchronized (this) {
            if (journal.state() != JournalState.CLOSED) {
                ids.close();
                journal.close();
            }
        }
    }
}
