package io.snowlease.generator.journal;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import io.snowlease.generator.WorkerLease;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A file on a local disk that knows, whatever happens to the process, a bound above every timestamp that was issued. It
 * lets the next process go on with the same worker id a second later, start while the coordinator is away, and notice
 * that the clock was set back.
 *
 * <h2>The bound</h2>
 *
 * <p>{@code reserved} lies about a second ahead, and is on disk <em>before</em> a timestamp at or above it is issued. A
 * thread of the journal's own moves it: when it is asked for near its end, and while ids keep being issued; never for an
 * idle generator. A lease's renewals and the journal's do not wait for each other. How the file is written so that a crash
 * at any moment leaves it readable is told in {@code JournalFile}.
 *
 * <h2>Failures</h2>
 *
 * <p>A folder that can't be made, locked or written is an error of {@link #open}: nobody starts without the protection
 * that was asked for. A write that fails later leaves {@code reserved} where it is, so that ids stop there; calls say why,
 * and {@link #failure} does. Nothing is tried again on that entry: after a failed sync the kernel may call the next one a
 * success without having written a thing. {@link #record}, with another lease (a resumed one too), writes the file anew,
 * and ids go on if that succeeds.
 *
 * <h2>What it can't know</h2>
 *
 * <p>A copy in another folder or on another host is noticed: it is another file. Old contents that were put back in the
 * file's place may not be, as the file system may give the new file the number of the old one: their {@code reserved} is
 * too low. Against a
 * coordinator that is noticed where the record's {@code last} is above it; without one, it is not. The same goes for two
 * copies of a virtual machine, and for disks that lose what they have acknowledged. Network file systems are not
 * supported: neither their locks nor their syncs mean enough.
 *
 * <p>Thread-safe. The folder serves one journal at a time.
 */
public final class Journal implements AutoCloseable {
    /** Name of the file with the entry. */
    static final String FILE = "journal";
    /** Name of the file that is locked, and holds the pid of who has it. */
    static final String LOCK_FILE = "lock";

    /** How far {@code reserved} is moved ahead of what is needed. */
    static final long AHEAD_MILLIS = 1_000;
    /** Moved when less than this is left: the disk's time to sync before a busy generator must wait. */
    static final long MARGIN_MILLIS = AHEAD_MILLIS / 2;
    /** How often a busy generator is looked at. */
    static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(MARGIN_MILLIS / 2);
    /** Nothing to do until woken. */
    static final long IDLE = Long.MAX_VALUE;

    private static final Logger LOG = System.getLogger(Journal.class.getName());

    private final Path folder;
    private final Clocks clocks;
    private final FolderLock lock;
    private final JournalFile file;
    private final @Nullable ReserverThread thread;
    private final Object writing = new Object();
    private @Nullable JournalEntry newest;
    private @Nullable JournalledLease current;
    private volatile JournalState state = JournalState.NO_LEASE;
    private volatile @Nullable String failure;
    private volatile long syncNanos = TimeUnit.MILLISECONDS.toNanos(5);
    private volatile long syncs;

    private Journal(Path folder, Clocks clocks, FileOps ops, boolean ownThread) throws IOException {
        this.folder = folder;
        this.clocks = clocks;
        ops.makeFolder(folder);
        this.lock = FolderLock.take(folder, ops);
        try {
            this.file = new JournalFile(folder.resolve(FILE), ops);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
        this.newest = file.found().entry();
        this.thread = ownThread ? new ReserverThread(this, clocks) : null;
    }

    /**
     * As {@link #open(Path, Clocks)}, on the machine's clocks.
     *
     * @throws JournalException as there
     */
    public static Journal open(Path folder) {
        return open(folder, Clocks.system());
    }

    /**
     * Makes the folder where it is missing, takes its lock, and reads what is there; changes nothing in a journal that is
     * there already, however damaged.
     *
     * @throws JournalLockedException if another process, or another journal of this one, uses the folder
     * @throws JournalException if the folder or a file in it can't be made, locked, read or opened for writing
     */
    public static Journal open(Path folder, Clocks clocks) {
        return open(folder, clocks, DiskOps.INSTANCE, true);
    }

    static Journal open(Path folder, Clocks clocks, FileOps ops, boolean ownThread) {
        Path absolute = folder.toAbsolutePath().normalize();
        Journal journal;
        try {
            journal = new Journal(absolute, clocks, ops, ownThread);
        } catch (IOException e) {
            throw new JournalException(
                    "the journal folder must be on a local disk that can be written: " + absolute + ": " + reasonOf(e)
                            + "; make room, set its permissions right, or name another folder",
                    e);
        }
        if (journal.thread != null) {
            journal.thread.start();
        }
        return journal;
    }

    /** Whether a journal was made in the folder: {@link #open} then adds no other to it. */
    public static boolean isIn(Path folder) {
        return !DiskOps.INSTANCE.isMissing(folder.resolve(FILE));
    }

    /** What was there when the journal was opened; not changed by what is recorded since. */
    public JournalReading found() {
        return file.found();
    }

    /**
     * Records a lease in the place of whatever was recorded before, durably in both places before it returns. The lease
     * recorded before, if any, reserves no more from here on; ids of it that are below its bound may still be issued until
     * its user is stopped.
     *
     * @param registryId who granted it
     * @param token the proof of ownership that a resume will need
     * @param lease the lease; the caller gives the returned one to its generator in its place
     * @throws IllegalArgumentException if it is of the same worker of the same registry and layout as the entry before,
     *     but starts below what that one reserved
     * @throws JournalException if it can't be written: {@code lease} is the caller's to close, and must not be used
     * @throws IllegalStateException if the journal is closed
     */
    public JournalledLease record(String registryId, Layout layout, String token, WorkerLease lease) {
        synchronized (writing) {
            requireOpen();
            long until = lease.untilMillis();
            long nowMillis = clocks.wallMillis();
            long reserved = reservable(layout, until, Math.max(nowMillis, lease.notBeforeMillis()));
            JournalEntry entry = new JournalEntry(
                    file.nextSequence(),
                    registryId,
                    layout,
                    lease.workerId(),
                    lease.epoch(),
                    token,
                    resumeTokenOf(registryId, layout, token, lease),
                    until,
                    reserved,
                    false,
                    file.origin());
            requireAbove(newest, entry, lease.notBeforeMillis());
            JournalledLease replaced = current;
            if (replaced != null && replaced.standsStill() == null) {
                replaced.standStill("another lease was recorded");
            }
            write(entry, () -> {});
            JournalledLease recorded = new JournalledLease(this, lease, layout, clocks, reserved);
            current = recorded;
            failure = null;
            state = JournalState.RESERVING;
            wake();
            return recorded;
        }
    }

    /** A resume that may have been written stays recognizable as long as the lease that it goes on with is used. */
    private @Nullable String resumeTokenOf(String registryId, Layout layout, String token, WorkerLease lease) {
        JournalEntry before = newest;
        return before != null && before.isOfLease(registryId, layout, token, lease) ? before.resumeToken() : null;
    }

    private static void requireAbove(@Nullable JournalEntry before, JournalEntry entry, long notBeforeMillis) {
        if (before != null && before.isSameWorker(entry) && notBeforeMillis < before.reservedMillis()) {
            throw new IllegalArgumentException("a lease of worker " + entry.worker()
                    + " must not start below what the journal has reserved before: notBefore="
                    + Instant.ofEpochMilli(notBeforeMillis) + ", reserved="
                    + Instant.ofEpochMilli(before.reservedMillis())
                    + "; ids below it may have been issued");
        }
    }

    /**
     * Records the token of a resume before it is sent, durably before this returns, so that the coordinator's record can be
     * recognized even if the reply is lost. The bound of the recorded lease stands still from here on: the resumed lease
     * starts there.
     *
     * @return the entry to resume from; {@code reservedMillis} is the resumed lease's floor
     * @throws JournalException if it can't be written: the resume must not be sent
     * @throws IllegalStateException if there is no entry, or it is closed, or the journal is
     */
    public JournalEntry recordResume(String resumeToken) {
        Objects.requireNonNull(resumeToken, "resumeToken");
        synchronized (writing) {
            requireOpen();
            JournalEntry before = newest;
            if (before == null || before.closed()) {
                throw new IllegalStateException("there must be an entry that is not closed to resume from: "
                        + (before == null ? "the journal in " + folder + " has none" : before));
            }
            JournalledLease resumed = current;
            if (resumed != null && resumed.standsStill() == null) {
                resumed.standStill("a resume is under way");
            }
            JournalEntry entry = before.resuming(file.nextSequence(), resumeToken);
            write(entry, () -> {});
            failure = null;
            state = JournalState.RESUMING;
            return entry;
        }
    }

    /**
     * Gives up whatever lease is recorded, durably: the coordinator has said that it is no proof any more. What it has
     * reserved is kept. Its user, if there is one, must have been stopped. Writes even if that was done before: whoever
     * calls it knows that the journal can be written.
     *
     * @throws JournalException if it can't be written
     * @throws IllegalStateException if the journal is closed
     */
    public void discard() {
        synchronized (writing) {
            requireOpen();
            JournalEntry before = newest;
            JournalledLease left = current;
            if (left != null && left.standsStill() == null) {
                left.standStill("the lease was given up");
            }
            if (before != null) {
                write(before.closed(file.nextSequence(), before.reservedMillis()), () -> {});
            }
            current = null;
            failure = null;
            state = JournalState.NO_LEASE;
        }
    }

    /** See {@link JournalledLease#markClosed}; what it reserves falls to the first timestamp that was not issued. */
    void markClosed(JournalledLease lease, long firstUnusedMillis) {
        synchronized (writing) {
            JournalEntry before = newest;
            if (current != lease || before == null || before.closed()) {
                return;
            }
            if (state == JournalState.CLOSED) {
                throw new JournalException(
                        "a lease must be closed before its journal: the one in " + folder + " was closed", null);
            }
            JournalEntry entry =
                    before.closed(file.nextSequence(), Math.min(before.reservedMillis(), firstUnusedMillis));
            write(entry, () -> {});
            current = null;
            failure = null;
            state = JournalState.NO_LEASE;
        }
    }

    /** What the journal is doing. */
    public JournalState state() {
        return state;
    }

    /** Why it reserves no more, in state {@link JournalState#FAILED}; else null. */
    public @Nullable String failure() {
        return failure;
    }

    /** How often a file has been synced since the journal was opened, for metrics. */
    public long syncs() {
        return syncs;
    }

    /** The folder, absolute. */
    public Path folder() {
        return folder;
    }

    /**
     * Ends the journal's thread and lets go of the folder. Waits for a write that is under way. Idempotent. Ids of a lease
     * that is still in use stop at its {@code reserved}, and the next journal may resume it, as after a crash: close the
     * generator first.
     */
    @Override
    public void close() {
        synchronized (writing) {
            if (state == JournalState.CLOSED) {
                return;
            }
            state = JournalState.CLOSED;
            JournalledLease left = current;
            if (left != null && left.standsStill() == null) {
                left.standStill("the journal was closed");
            }
            try (lock) {
                file.close();
            } catch (IOException e) {
                LOG.log(Level.WARNING, "closing the journal in " + folder + " failed: " + reasonOf(e));
            }
        }
        if (thread != null) {
            thread.end();
        }
    }

    void wake() {
        if (thread != null) {
            thread.wake();
        }
    }

    long syncEstimateMillis() {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(2 * syncNanos));
    }

    /** Whether something came up since {@link #look} began that it may not have seen. */
    boolean isWanted() {
        synchronized (writing) {
            JournalledLease lease = current;
            return state == JournalState.CLOSED || (lease != null && lease.isWaiting());
        }
    }

    /**
     * Moves {@code reserved} ahead if that is due.
     *
     * @return ns until the next look, or {@link #IDLE}
     */
    long look() {
        synchronized (writing) {
            JournalledLease lease = current;
            JournalEntry entry = newest;
            if (lease == null || entry == null) {
                return IDLE;
            }
            boolean asked = lease.wasAsked();
            boolean saveAsked = lease.wasSaveAsked();
            if (state != JournalState.RESERVING) {
                return IDLE;
            }
            long position = lease.positionMillis();
            boolean issuing = position != lease.positionLookedAt;
            lease.positionLookedAt = position;
            long until = lease.leaseUntilMillis();
            long needed = lease.neededMillis(clocks.wallMillis());
            long reserved = entry.reservedMillis();
            long next = reserved;
            if ((asked || issuing) && needed + MARGIN_MILLIS > reserved) {
                next = Math.max(reserved, reservable(entry.layout(), until, needed));
            }
            if (next > reserved || (saveAsked && until > entry.untilMillis())) {
                extend(lease, entry.reserved(file.nextSequence(), until, next));
            }
            return state == JournalState.RESERVING && needed < next ? LOOK_NANOS : IDLE;
        }
    }

    private void extend(JournalledLease lease, JournalEntry entry) {
        try {
            write(entry, () -> {
                newest = entry;
                lease.reserved(entry.reservedMillis());
            });
        } catch (JournalException e) {
            LOG.log(
                    Level.ERROR,
                    "ids of worker " + lease.workerId() + " stop at " + Instant.ofEpochMilli(lease.reservedMillis())
                            + ": " + e.getMessage());
        }
    }

    private void write(JournalEntry entry, Runnable whenDurable) {
        long startNanos = clocks.monotonicNanos();
        try {
            lock.requireInPlace();
            file.write(entry, () -> {
                syncNanos = clocks.monotonicNanos() - startNanos;
                whenDurable.run();
            });
            if (entry.closed()) {
                file.syncFolder();
            }
            newest = entry;
        } catch (IOException | RuntimeException e) {
            throw new JournalException(failed("writing " + folder.resolve(FILE), e), e);
        } finally {
            syncs = file.syncs();
        }
    }

    /** Stops the bound until another lease is recorded; gives the reason. */
    String failed(String doing, Throwable e) {
        String why = doing + " failed: " + reasonOf(e)
                + "; set it right, and ids go on when another lease is recorded (a restart does that too)";
        synchronized (writing) {
            if (state != JournalState.CLOSED) {
                failure = why;
                state = JournalState.FAILED;
            }
            JournalledLease stopped = current;
            if (stopped != null) {
                stopped.standStill(why);
            }
        }
        return why;
    }

    private static long reservable(Layout layout, long untilMillis, long neededMillis) {
        long ahead = neededMillis + AHEAD_MILLIS;
        return ahead >= untilMillis ? untilMillis : Math.min(untilMillis, layout.roundUpToTick(ahead));
    }

    private void requireOpen() {
        if (state == JournalState.CLOSED) {
            throw new IllegalStateException("the journal in " + folder + " must be open: it was closed");
        }
    }

    private static String reasonOf(Throwable e) {
        return JournalFile.reasonOf(e);
    }
}
