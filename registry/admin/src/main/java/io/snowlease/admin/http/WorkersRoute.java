package io.snowlease.admin.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.snowlease.admin.view.SlotsJson;
import io.snowlease.registry.RegistryException;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /v1/workers}: all slots. Asks the coordinator on a thread of its own, so that neither a slow coordinator
 * nor many who ask can hold up the ids.
 */
final class WorkersRoute implements Route, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkersRoute.class);
    private static final int MAX_QUEUED = 64;

    private final SlotSource slots;
    private final Duration timeout;
    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_QUEUED),
            new DefaultThreadFactory("snowlease-coordinator-reads", true));

    WorkersRoute(SlotSource slots, HttpLimits limits) {
        this.slots = slots;
        this.timeout = limits.coordinatorTimeout();
    }

    @Override
    public void answer(Exchange exchange) throws RefusedRequestException {
        Query.parse(exchange.target().query(), List.of());
        Future<?> late =
                exchange.loop().schedule(() -> exchange.reply(tooSlow()), timeout.toMillis(), TimeUnit.MILLISECONDS);
        try {
            executor.execute(() -> {
                Reply reply = read();
                late.cancel(false);
                exchange.reply(reply);
            });
        } catch (RejectedExecutionException e) {
            late.cancel(false);
            exchange.reply(Reply.unavailable(
                    "more than " + MAX_QUEUED + " requests wait for the coordinator already: try again later", -1));
        }
    }

    private Reply tooSlow() {
        return Reply.unavailable(
                "the coordinator did not answer within " + timeout.toMillis() + " ms: see 'snowlease leases'", -1);
    }

    private Reply read() {
        try {
            return Reply.json(SlotsJson.of(slots.slots()));
        } catch (NoCoordinatorException e) {
            return Reply.problem(HttpResponseStatus.NOT_FOUND, String.valueOf(e.getMessage()));
        } catch (RegistryException | StoreUnavailableException e) {
            return Reply.unavailable(String.valueOf(e.getMessage()), -1);
        } catch (RuntimeException e) {
            LOG.error("reading the slots failed: {}", e.toString(), e);
            return Reply.problem(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error, see the server's log");
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
