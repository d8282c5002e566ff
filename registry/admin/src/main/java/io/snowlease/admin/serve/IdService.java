package io.snowlease.admin.serve;

import io.snowlease.admin.http.IdSource;
import io.snowlease.admin.http.ServiceState;
import io.snowlease.admin.http.SlotSource;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.registry.SlotInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Comes by a generator in the background, and tries for as long as it takes where time can help. Where it can't, {@link
 * ServiceEvents#failed} is told. Thread-safe.
 */
public final class IdService implements IdSource, SlotSource, AutoCloseable {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final IdOrigin origin;
    private final ServiceEvents events;
    private final Duration retryPause;
    private final Thread starter;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile ServiceState state = new ServiceState.Waiting("the server is starting", -1);
    private String told = "";

    /**
     * A service that is still to be started, and closes {@code origin} in the end.
     *
     * @param retryPause longest pause between two tries
     */
    public IdService(IdOrigin origin, ServiceEvents events, Duration retryPause) {
        this.origin = origin;
        this.events = events;
        this.retryPause = retryPause;
        this.starter = new Thread(this::open, "snowlease-start");
        starter.setDaemon(true);
    }

    /** Starts, and returns at once. */
    public void start() {
        starter.start();
    }

    @Override
    public ServiceState state() {
        return state;
    }

    @Override
    public Optional<Layout> layout() {
        return origin.layout();
    }

    @Override
    public List<SlotInfo> slots() {
        return origin.slots();
    }

    private void open() {
        try {
            IdGenerator generator = origin.open(this::await);
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

    /** {@link Patience}. */
    private void await(long millis, RuntimeException why, String detail) throws InterruptedException {
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
        origin.close();
    }
}
