package io.snowlease.admin.serve;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.LeaseLostException;
import io.snowlease.registry.CoordinatorUnavailableException;
import io.snowlease.registry.NoFreeWorkerException;
import io.snowlease.registry.NotGrantableYetException;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.RegistryException;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ids on a worker id that a coordinator leases. Time can help with a quarantine, all worker ids held, a coordinator that
 * went away; not with other settings, a clock that is wrong, a coordinator that was never there.
 */
public final class LeasedIds implements IdOrigin {
    /**
     * Long enough for a slow host to connect, short enough to start by the journal alone well before the lease in it ends.
     */
    private static final Duration FIRST_TRY = Duration.ofSeconds(3);

    private static final Duration LONGEST_TRY = Duration.ofSeconds(24);
    private static final long UNKNOWN = -1;

    private final Coordinator coordinator;
    private final Duration startTimeout;
    private final Clocks clocks;
    private volatile @Nullable Layout layout;
    private volatile @Nullable RegistryAdmin admin;
    private volatile @Nullable WorkerRegistry registry;

    /**
     * Still to be opened.
     *
     * @param startTimeout how long the coordinator may take to answer for the first time
     */
    public LeasedIds(Coordinator coordinator, Duration startTimeout, Clocks clocks) {
        this.coordinator = coordinator;
        this.startTimeout = startTimeout;
        this.clocks = clocks;
    }

    @Override
    public IdGenerator open(Patience patience) throws InterruptedException {
        RegistryAdmin looking = coordinator.openAdmin();
        admin = looking;
        WorkerRegistry opened = connect(looking, patience);
        registry = opened;
        layout = opened.layout();
        return retried(() -> opened.newGenerator(options -> options.maxWait(Duration.ZERO)), patience);
    }

    /** Connecting comes before looking: with a journal it can do without the coordinator. */
    private WorkerRegistry connect(RegistryAdmin looking, Patience patience) throws InterruptedException {
        long startNanos = clocks.monotonicNanos();
        boolean answered = false;
        Duration oneTry = FIRST_TRY;
        while (true) {
            try {
                return coordinator.connect(oneTry);
            } catch (NotGrantableYetException | NoFreeWorkerException e) {
                answered = true;
                look(looking);
                await(e, patience);
            } catch (CoordinatorUnavailableException e) {
                Duration left = startTimeout.minusNanos(clocks.monotonicNanos() - startNanos);
                if (!answered && (left.isNegative() || left.isZero())) {
                    throw new CoordinatorAwayException(looking.servers(), startTimeout, e);
                }
                oneTry = longer(oneTry, answered ? LONGEST_TRY : left);
                patience.await(UNKNOWN, e, "");
            }
        }
    }

    /** Each try begins anew, and a slow coordinator needs a longer one. */
    private static Duration longer(Duration oneTry, Duration atMost) {
        Duration twice = oneTry.multipliedBy(2);
        Duration next = twice.compareTo(LONGEST_TRY) < 0 ? twice : LONGEST_TRY;
        if (next.compareTo(atMost) > 0) {
            next = atMost;
        }
        return next.compareTo(FIRST_TRY) < 0 ? FIRST_TRY : next;
    }

    /** Ids can be taken apart while none can be made. */
    private void look(RegistryAdmin looking) {
        try {
            layout = looking.registry().map(RegistryRecord::parsedLayout).orElse(null);
        } catch (CoordinatorUnavailableException e) {
            // It was there a moment ago: the next try tells.
        }
    }

    private static void await(RegistryException e, Patience patience) throws InterruptedException {
        if (e instanceof NotGrantableYetException early) {
            patience.await(early.waitMillis(), early, early.grantableAt().toString());
        } else {
            patience.await(UNKNOWN, e, "");
        }
    }

    private static <T> T retried(Supplier<T> attempt, Patience patience) throws InterruptedException {
        while (true) {
            try {
                return attempt.get();
            } catch (NotGrantableYetException | NoFreeWorkerException | CoordinatorUnavailableException e) {
                await(e, patience);
            } catch (LeaseLostException e) {
                // Lost before its generator was there: this start took longer than a lease.
                patience.await(UNKNOWN, e, "");
            }
        }
    }

    @Override
    public Optional<Layout> layout() {
        return Optional.ofNullable(layout);
    }

    @Override
    public List<SlotInfo> slots() {
        RegistryAdmin opened = admin;
        if (opened == null) {
            throw new StoreUnavailableException("the coordinator is being connected to", null);
        }
        return opened.slots();
    }

    @Override
    public void close() {
        WorkerRegistry opened = registry;
        if (opened != null) {
            opened.close();
        }
        RegistryAdmin looking = admin;
        if (looking != null) {
            looking.close();
        }
    }
}
