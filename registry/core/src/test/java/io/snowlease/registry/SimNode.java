package io.snowlease.registry;

import io.snowlease.generator.ClockPolicy;
import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.LeaseInUseException;
import io.snowlease.generator.LeaseLostException;
import io.snowlease.generator.SnowflakeGenerator;
import io.snowlease.generator.WorkerLease;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A simulated machine: a clock, and one process after another that leases, keeps and issues by the real code. */
final class SimNode implements Clocks {
    private static final ClockPolicy[] POLICIES = {
        ClockPolicy.REFUSE, ClockPolicy.HOLD, ClockPolicy.BORROW, ClockPolicy.REFUSE
    };

    final int index;
    long offsetMillis;
    private long pausedUntil;
    long cutUntil;
    int serverIndex;
    private final SimWorld world;
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
        }
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
                keep(granted);
                if (!world.chance(0.3)) {
                    break;
                }
                granted = claim();
            }
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
                    client.openGrantable();
                    HeldBound granted = client.claim("node-" + index, Long.MIN_VALUE, List.of());
                    lastGrant = granted;
                    return granted;
                } catch (StoreUnavailableException
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
                    () -> Duration.ofMillis(
                            Objects.requireNonNull(client.registry()).leaseMillis()),
                    SimNode.this,
                    world.random());
            KeptLease lease = new KeptLease(
                    keeping,
                    client,
                    "node-" + index,
                    SimNode.this,
                    status -> {},
                    granted,
                    new Backoff(world.random(), Duration.ofSeconds(5)));
            kept = lease;
            SnowflakeGenerator ids = SnowflakeGenerator.builder(SimWorld.LAYOUT)
                    .clocks(SimNode.this)
                    .maxWait(Duration.ZERO)
                    .clockPolicy(POLICIES[index % POLICIES.length])
                    .lease(world.rules().seen(lease.lease(), SimWorld.LAYOUT))
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

        private void tryForSecond(KeptLease lease) {
            try {
                second = SnowflakeGenerator.builder(SimWorld.LAYOUT)
                        .clocks(SimNode.this)
                        .maxWait(Duration.ZERO)
                        .lease(world.rules().seen(lease.lease(), SimWorld.LAYOUT))
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
