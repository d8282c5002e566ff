package io.snowlease.admin.serve;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.registry.CoordinatorUnavailableException;
import io.snowlease.registry.NoFreeWorkerException;
import io.snowlease.registry.NotGrantableYetException;
import io.snowlease.registry.RegistryAdmin;
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
        awaitFirstAnswer(looking, patience);
        WorkerRegistry opened = retried(coordinator::connect, patience);
        registry = opened;
        layout = opened.layout();
        return retried(() -> opened.newGenerator(options -> options.maxWait(Duration.ZERO)), patience);
    }

    private void awaitFirstAnswer(RegistryAdmin looking, Patience patience) throws InterruptedException {
        long startNanos = clocks.monotonicNanos();
        while (true) {
            try {
                layout = looking.registry().map(RegistryRecord::parsedLayout).orElse(null);
                return;
            } catch (CoordinatorUnavailableException e) {
                if (clocks.monotonicNanos() - startNanos >= startTimeout.toNanos()) {
                    throw new CoordinatorAwayException(looking.servers(), startTimeout, e);
                }
                patience.await(UNKNOWN, e, "");
            }
        }
    }

    private static <T> T retried(Supplier<T> attempt, Patience patience) throws InterruptedException {
        while (true) {
            try {
                return attempt.get();
            } catch (NotGrantableYetException e) {
                patience.await(e.waitMillis(), e, e.grantableAt().toString());
            } catch (NoFreeWorkerException | CoordinatorUnavailableException e) {
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
