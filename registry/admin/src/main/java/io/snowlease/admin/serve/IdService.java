package io.snowlease.admin.serve;

import io.snowlease.admin.http.IdSource;
import io.snowlease.admin.http.ServiceState;
import io.snowlease.admin.http.SlotSource;
import io.snowlease.generator.Clocks;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Leases a worker id in the background, and tries for as long as it takes where time can help: a quarantine, all worker
 * ids held, a coordinator that went away. Where it can't (other settings, a clock that is wrong, a coordinator that was
 * never there), {@link ServiceEvents#failed} is told. Thread-safe.
 */
public final class IdService implements IdSource, SlotSource, AutoCloseable {
    private static final String CONNECTING = "the coordinator is being connected to";
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final Coordinator coordinator;
    private final ServiceEvents events;
    private final Duration startTimeout;
    private final Duration retryPause;
    private final Clocks clocks;
    private final Thread starter;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile ServiceState state = new ServiceState.Waiting(CONNECTING, -1);
    private volatile @Nullable Layout layout;
    private volatile @Nullable RegistryAdmin admin;
    private volatile @Nullable WorkerRegistry registry;
    private String told = "";

    /**
     * A service that is still to be started.
     *
     * @param startTimeout how long the coordinator may take to answer for the first time
     * @param retryPause longest pause between two tries
     */
    public IdService(
            Coordinator coordinator, ServiceEvents events, Duration startTimeout, Duration retryPause, Clocks clocks) {
        this.coordinator = coordinator;
        this.events = events;
        this.startTimeout = startTimeout;
        this.retryPause = retryPause;
        this.clocks = clocks;
        this.starter = new Thread(this::lease, "snowlease-start");
        starter.setDaemon(true);
    }

    /** Starts leasing, and returns at once. */
    public void start() {
        starter.start();
    }

    @Override
    public ServiceState state() {
        return state;
    }

    @Override
    public Optional<Layout> layout() {
        return Optional.ofNullable(layout);
    }

    @Override
    public List<SlotInfo> slots() {
        RegistryAdmin opened = admin;
        if (opened == null) {
            throw new StoreUnavailableException(CONNECTING, null);
        }
        return opened.slots();
    }

    private void lease() {
        try {
            RegistryAdmin looking = coordinator.openAdmin();
            admin = looking;
            awaitFirstAnswer(looking);
            WorkerRegistry opened = retried(coordinator::connect);
            registry = opened;
            layout = opened.layout();
            IdGenerator generator = retried(() -> opened.newGenerator(options -> options.maxWait(Duration.ZERO)));
            state = new ServiceState.Serving(generator);
            events.ready(generator.workerId());
        } catch (InterruptedException e) {
            // Closed while it waited: there is nobody to tell.
        } catch (Throwable e) { // errors too: this thread is all there is to report them
            if (closing.getCount() > 0) {
                events.failed(e);
            }
        }
    }

    private void awaitFirstAnswer(RegistryAdmin looking) throws InterruptedException {
        long startNanos = clocks.monotonicNanos();
        while (true) {
            try {
                layout = looking.registry().map(RegistryRecord::parsedLayout).orElse(null);
                return;
            } catch (CoordinatorUnavailableException e) {
                if (clocks.monotonicNanos() - startNanos >= startTimeout.toNanos()) {
                    throw new CoordinatorAwayException(looking.servers(), startTimeout, e);
                }
                waitFor(retryPause.toMillis(), e, "");
            }
        }
    }

    private <T> T retried(Supplier<T> attempt) throws InterruptedException {
        while (true) {
            try {
                return attempt.get();
            } catch (NotGrantableYetException e) {
                waitFor(e.waitMillis(), e, e.grantableAt().toString());
            } catch (NoFreeWorkerException | CoordinatorUnavailableException e) {
                waitFor(-1, e, "");
            }
        }
    }

    /** The text differs from one try to the next (by the time left, say); the reason is its kind and {@code detail}. */
    private void waitFor(long millis, RegistryException why, String detail) throws InterruptedException {
        String text = String.valueOf(why.getMessage());
        state = new ServiceState.Waiting(text, millis);
        String reason = why.getClass().getName() + detail;
        if (!reason.equals(told)) {
            told = reason;
            events.waiting(text);
        }
        long pause = millis < 0 ? retryPause.toMillis() : Math.min(Math.max(1, millis), retryPause.toMillis());
        if (closing.await(pause, TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("the service was closed");
        }
    }

    /** Issues nothing any more, gives the worker id back, and ends. Waits a bounded time. */
    @Override
    public void close() {
        closing.countDown();
        starter.interrupt();
        try {
            starter.join(STOP_TIMEOUT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (state instanceof ServiceState.Serving serving) {
            serving.generator().close();
        }
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
