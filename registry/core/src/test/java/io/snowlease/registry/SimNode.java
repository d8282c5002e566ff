package io.snowlease.registry;

import io.snowlease.generator.ClockPolicy;
import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.LeaseInUseException;
import io.snowlease.generator.LeaseLostException;
import io.snowlease.generator.SnowflakeGenerator;
import io.snowlease.generator.WorkerLease;
import io.snowlease.generator.journal.Journal;
import io.snowlease.generator.journal.JournalException;
import io.snowlease.generator.journal.ManualJournal;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A simulated machine: a clock, and one process after another that leases, keeps and issues by the real code. */
final class SimNode implements Clocks {
    private static final int TORN_AT_MOST = 4096;
    private static final ClockPolicy[] POLICIES = {
        ClockPolicy.REFUSE, ClockPolicy.HOLD, ClockPolicy.BORROW, ClockPolicy.REFUSE
    };

    final int index;
    long offsetMillis;
    private long pausedUntil;
    long cutUntil;
    int serverIndex;
    long downUntil;
    private final SimWorld world;
    private final ManualJournal disk = new ManualJournal();
    private boolean diskFails;
    private @Nullable Incarnation process;

    SimNode(SimWorld world, int index) {
        this.world = world;
        this.index = index;
    }

    @Override
    public long wallMillis() {
        return world.trueMillis() + offsetMillis;
    }

    @Override
    public long monotonicNanos() {
        return world.trueMillis() * 1_000_000;
    }

    @Override
    public void parkNanos(long nanos) {
        throw new AssertionError("nothing waits in a history");
    }

    void pauseFor(long millis) {
        pausedUntil = world.trueMillis() + millis;
    }

    boolean isPaused() {
        return pausedUntil > world.trueMillis();
    }

    boolean isRunning() {
        return process != null;
    }

    void start() {
        Incarnation started = new Incarnation();
        process = started;
        started.main.resume();
    }

    void crash() {
        Incarnation crashed = process;
        process = null;
        if (crashed != null) {
            crashed.main.kill();
            disk.crash(world.random().nextInt(TORN_AT_MOST));
            diskFails = false;
        }
    }

    /** From now on, or no more, what the journal writes can't be synced. */
    void turnDisk() {
        diskFails = !diskFails;
        if (diskFails) {
            disk.failSyncs();
        } else {
            disk.heal();
        }
    }

    private boolean keepsJournal() {
        return index % 2 == world.journalledNodes();
    }

    void closeGenerator() {
        Incarnation running = process;
        if (running != null) {
            running.closeRequested = true;
            running.wakeFromSleep();
        }
    }

    void issue() {
        Incarnation running = process;
        if (running != null) {
            running.issue();
        }
    }

    /** One incarnation of the process. */
    final class Incarnation implements SimStore.Caller {
        final Coroutine main = new Coroutine(this::live);
        private final SimStore store = new SimStore(world, SimNode.this, this);
        private final RegistryClient client = new RegistryClient(
                store,
                world.stated(SimNode.this),
                SimNode.this,
                world::nextToken,
                world.random(),
                world.rules()::leaseRules);
        private final @Nullable Journal file = keepsJournal() ? disk.open(SimNode.this) : null;
        private final LeaseJournal journal =
                file == null ? LeaseJournal.NONE : world.rules().seen(new FileLeaseJournal(file, "simulated"));
        private final LeaseStart start =
                new LeaseStart(client, journal, "node-" + index, SimNode.this, world::nextToken);
        private boolean sleeping;
        private long sleepNumber;
        private boolean closeRequested;
        private @Nullable KeptLease kept;
        private @Nullable SnowflakeGenerator generator;
        private @Nullable SnowflakeGenerator second;
        private @Nullable SnowflakeGenerator closedGenerator;
        private @Nullable HeldBound lastGrant;

        private void live() {
            HeldBound granted = claim();
            while (granted != null) {
                try {
                    keep(granted);
                } catch (JournalException | IllegalArgumentException e) {
                    // Nothing can be recorded, or (where a rule is out) the journal has noticed what it must not
                    // record.
                    sleep(1000);
                }
                if (!world.chance(0.3)) {
                    break;
                }
                granted = claim();
            }
            journal.close();
            if (process == this) {
                process = null;
            }
        }

        private @Nullable HeldBound claim() {
            while (true) {
                try {
                    HeldBound again = readopted();
                    if (again != null) {
                        return again;
                    }
                    if (journal.floorMillis() > wallMillis()) {
                        world.refused();
                        sleep(1000);
                        continue;
                    }
                    LeaseJournal.Proof proof = journal.proof();
                    if (proof == null) {
                        client.openGrantable();
                    }
                    HeldBound granted = start.first(List.of());
                    if (proof != null) {
                        world.startedByProof(proof.held(), granted);
                    }
                    lastGrant = granted;
                    return granted;
                } catch (JournalException
                        | StoreUnavailableException
                        | NoFreeWorkerException
                        | NotGrantableYetException
                        | ClockSkewException e) {
                    sleep(1000 + world.random().nextInt(4000));
                } catch (RegistryMismatchException e) {
                    return null;
                }
            }
        }

        private @Nullable HeldBound readopted() {
            HeldBound last = lastGrant;
            if (last == null || !world.rules().readoptsGrants()) {
                return null;
            }
            var slot = store.read(last.worker()).record();
            return slot != null && slot.isLeaseOf(last.token(), last.epoch()) ? last : null;
        }

        private void keep(HeldBound granted) {
            LeaseKeeper keeping = new LeaseKeeper(
                    "simulated",
                    SimWorld.LAYOUT,
                    client,
                    () -> {
                        RegistryRecord read = client.registry();
                        return read == null ? Duration.ofSeconds(3) : Duration.ofMillis(read.leaseMillis());
                    },
                    SimNode.this,
                    world.random());
            KeptLease lease = new KeptLease(
                    keeping,
                    client,
                    start,
                    SimNode.this,
                    status -> {},
                    granted,
                    new Backoff(world.random(), Duration.ofSeconds(5)));
            kept = lease;
            SnowflakeGenerator ids = SnowflakeGenerator.builder(SimWorld.LAYOUT)
                    .clocks(SimNode.this)
                    .maxWait(Duration.ZERO)
                    .clockPolicy(POLICIES[index % POLICIES.length])
                    .lease(world.rules().seen(lease.first(), SimWorld.LAYOUT))
                    .build();
            lease.use(new Issuer() {
                @Override
                public long lastTimestampMillis() {
                    return ids.lastTimestampMillis();
                }

                @Override
                public void switchTo(WorkerLease next) {
                    world.handedOver();
                    ids.switchTo(world.rules().seen(next, SimWorld.LAYOUT));
                }
            });
            generator = ids;
            locked(keeping, () -> keeping.add(lease));
            closeRequested = false;
            while (!closeRequested) {
                long[] waitNanos = new long[1];
                locked(keeping, () -> waitNanos[0] = keeping.runDue());
                if (!closeRequested) {
                    sleep(waitNanos[0] / 1_000_000 + 1);
                }
            }
            generator = null;
            second = null;
            closedGenerator = ids;
            keeping.release(lease);
        }

        private void locked(LeaseKeeper keeping, Runnable action) {
            keeping.lock().lock();
            try {
                action.run();
            } finally {
                keeping.lock().unlock();
            }
        }

        /** One id of whatever can issue one now. */
        private void issue() {
            if (file != null && !journalThreadStalls()) {
                ManualJournal.look(file);
            }
            SnowflakeGenerator ids = generator;
            KeptLease lease = kept;
            SnowflakeGenerator closed = closedGenerator;
            if (closed != null && lease != null && (ids == null || world.chance(0.1))) {
                // A thread that was in flight when the generator was closed, and goes on now.
                try {
                    long id = closed.nextId();
                    world.checker().issuedAfterEnd(id);
                    world.checker().issued(id, lease.lease().bound(), closed, world.trueMillis());
                } catch (IdGenerationException refused) {
                    world.refused();
                }
            }
            if (ids == null || lease == null) {
                return;
            }
            if (second == null && world.chance(0.02)) {
                tryForSecond(lease);
            }
            SnowflakeGenerator chosen = second != null && world.chance(0.5) ? second : ids;
            try {
                long id = chosen.nextId();
                world.checker().issued(id, lease.lease().bound(), chosen, world.trueMillis());
            } catch (IdGenerationException refused) {
                world.refused();
            }
        }

        private boolean journalThreadStalls() {
            return world.chance(0.2);
        }

        private void tryForSecond(KeptLease lease) {
            try {
                second = SnowflakeGenerator.builder(SimWorld.LAYOUT)
                        .clocks(SimNode.this)
                        .maxWait(Duration.ZERO)
                        .lease(world.rules().seen(lease.first(), SimWorld.LAYOUT))
                        .build();
            } catch (LeaseInUseException | LeaseLostException refused) {
                world.refused();
            }
        }

        private void sleep(long millis) {
            long mine = ++sleepNumber;
            sleeping = true;
            world.after(millis, () -> {
                if (sleeping && sleepNumber == mine) {
                    resume();
                }
            });
            main.suspend();
            sleeping = false;
        }

        private void wakeFromSleep() {
            if (sleeping && !isPaused()) {
                sleepNumber++;
                resume();
            }
        }

        @Override
        public void resume() {
            if (isPaused()) {
                world.at(pausedUntil, this::resume);
            } else if (process == this || !main.isDone()) {
                main.resume();
            }
        }

        @Override
        public void suspend() {
            main.suspend();
        }
    }
}
