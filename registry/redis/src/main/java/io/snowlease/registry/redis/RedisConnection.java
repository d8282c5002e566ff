package io.snowlease.registry.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.snowlease.generator.Clocks;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the primary, made anew when it was lost; every call on it is bounded by one deadline. A script is sent
 * again only where the server has said that it did not run it, or where it may be run twice. Thread-safe.
 */
final class RedisConnection implements AutoCloseable {
    private static final long RETRY_NANOS = 30_000_000;
    private static final long LONGEST_WAIT_MILLIS = 1_000;

    private final Primaries primaries;
    private final Refusals refusals;
    private final String servers;
    private final Duration longestCall;
    private volatile Duration callTimeout;
    private final Consumer<String> trace;
    private final Clocks clocks = Clocks.system();
    private @Nullable CompletableFuture<StatefulRedisConnection<String, String>> current;
    private volatile boolean closed;

    /**
     * What is to be run.
     *
     * @param what for messages, as in "while reading"
     * @param isRepeatable whether it may be run twice
     * @param replicas how many must acknowledge it; 0: none is asked
     */
    record Request(
            String what,
            Script script,
            List<String> keys,
            List<String> arguments,
            boolean isRepeatable,
            int replicas) {}

    /**
     * What came of it.
     *
     * @param value as {@link Script#output} says
     * @param acknowledged how many replicas have it, if any was asked
     */
    record Reply(Object value, long acknowledged) {}

    RedisConnection(
            Primaries primaries,
            Refusals refusals,
            RedisServers servers,
            Duration callTimeout,
            Consumer<String> trace) {
        this.primaries = primaries;
        this.refusals = refusals;
        this.servers = "Redis at " + servers;
        this.longestCall = callTimeout;
        this.callTimeout = callTimeout;
        this.trace = trace;
    }

    /** Bounds each call from now on; at most by what this was made with. */
    void limitCalls(Duration longest) {
        callTimeout = longest.compareTo(longestCall) < 0 ? longest : longestCall;
    }

    /** Runs a script. */
    Reply run(Request request) {
        return call(
                request.what(), request.isRepeatable(), (connection, deadline) -> run(connection, request, deadline));
    }

    /** Sends one command that changes nothing. */
    <T> T ask(String what, Function<RedisAsyncCommands<String, String>, RedisFuture<T>> command) {
        return call(what, true, (connection, deadline) -> await(command.apply(connection.async()), deadline));
    }

    /** Some steps on a connection. */
    @FunctionalInterface
    private interface Steps<T> {
        T on(StatefulRedisConnection<String, String> connection, long deadline)
                throws InterruptedException, TimeoutException, ExecutionException;
    }

    private Reply run(StatefulRedisConnection<String, String> connection, Request request, long deadline)
            throws InterruptedException, TimeoutException, ExecutionException {
        try {
            return send(connection, request, false, deadline);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RedisNoScriptException) {
                return send(connection, request, true, deadline);
            }
            throw e;
        }
    }

    /** The script, and the wait for the replicas right behind it: one round trip. */
    private Reply send(
            StatefulRedisConnection<String, String> connection, Request request, boolean isWhole, long deadline)
            throws InterruptedException, TimeoutException, ExecutionException {
        Script script = request.script();
        String[] keys = request.keys().toArray(new String[0]);
        String[] arguments = request.arguments().toArray(new String[0]);
        RedisAsyncCommands<String, String> commands = connection.async();
        trace.accept(script.label());
        RedisFuture<Object> reply = isWhole
                ? commands.eval(script.text(), script.output(), keys, arguments)
                : commands.evalsha(script.sha1(), script.output(), keys, arguments);
        RedisFuture<Long> acknowledged =
                request.replicas() == 0 ? null : commands.waitForReplication(request.replicas(), waitMillis(deadline));
        Object value = await(reply, deadline);
        return new Reply(value, acknowledged == null ? 0 : await(acknowledged, deadline));
    }

    private long waitMillis(long deadline) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - clocks.monotonicNanos());
        return Math.max(1, Math.min(LONGEST_WAIT_MILLIS, left / 2));
    }

    private <T> T call(String what, boolean isRepeatable, Steps<T> steps) {
        long deadline = clocks.monotonicNanos() + callTimeout.toNanos();
        Exception last = null;
        try {
            while (true) {
                StatefulRedisConnection<String, String> connection = null;
                try {
                    connection = connected(deadline);
                } catch (ExecutionException e) {
                    last = refusals.ofConnecting(e.getCause(), what);
                }
                if (connection != null) {
                    try {
                        return steps.on(connection, deadline);
                    } catch (ExecutionException | CancellationException e) {
                        last = e.getCause() == null ? e : (Exception) e.getCause();
                    } catch (TimeoutException e) {
                        drop(connection);
                        throw !isRepeatable
                                ? unclear(what, e, last)
                                : last instanceof RedisCommandExecutionException
                                        ? refusals.timedOut(what, callTimeout, last)
                                        : noAnswer(what, e);
                    }
                    boolean isRefused = last instanceof RedisCommandExecutionException;
                    if (isRefused && refusals.isFinal(last)) {
                        throw refusals.of(last, what);
                    }
                    if (!isRefused || refusals.isOtherServers(last)) {
                        drop(connection);
                    }
                    if (!isRefused && !isRepeatable) {
                        throw unclear(what, last, null);
                    }
                }
                pause(deadline);
            }
        } catch (TimeoutException e) {
            throw refusals.timedOut(what, callTimeout, last == null ? e : last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while " + what + " at " + servers, e);
        }
    }

    private StatefulRedisConnection<String, String> connected(long deadline)
            throws InterruptedException, TimeoutException, ExecutionException {
        CompletableFuture<StatefulRedisConnection<String, String>> connecting = connecting();
        try {
            StatefulRedisConnection<String, String> connection = await(connecting, deadline);
            if (closed) {
                throw isClosed();
            }
            return connection;
        } catch (TimeoutException e) {
            forget(connecting);
            closeOnceThere(connecting);
            throw e;
        } catch (ExecutionException e) {
            forget(connecting);
            throw e;
        }
    }

    private synchronized CompletableFuture<StatefulRedisConnection<String, String>> connecting() {
        if (closed) {
            throw isClosed();
        }
        CompletableFuture<StatefulRedisConnection<String, String>> found = current;
        if (found == null
                || (found.isDone()
                        && !found.isCompletedExceptionally()
                        && !found.join().isOpen())) {
            found = primaries.connect();
            current = found;
        }
        return found;
    }

    private synchronized void forget(CompletableFuture<StatefulRedisConnection<String, String>> connecting) {
        if (current == connecting) {
            current = null;
        }
    }

    private void drop(StatefulRedisConnection<String, String> connection) {
        synchronized (this) {
            CompletableFuture<StatefulRedisConnection<String, String>> found = current;
            if (found != null && found.isDone() && !found.isCompletedExceptionally() && found.join() == connection) {
                current = null;
            }
        }
        CompletableFuture<Void> unused = connection.closeAsync();
    }

    private static void closeOnceThere(CompletableFuture<StatefulRedisConnection<String, String>> connecting) {
        CompletableFuture<Void> unused = connecting.thenCompose(StatefulRedisConnection::closeAsync);
    }

    private <T> T await(Future<T> answer, long deadline)
            throws InterruptedException, TimeoutException, ExecutionException {
        return answer.get(Math.max(0, deadline - clocks.monotonicNanos()), TimeUnit.NANOSECONDS);
    }

    private void pause(long deadline) throws InterruptedException, TimeoutException {
        if (closed) {
            throw isClosed();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long left = deadline - clocks.monotonicNanos();
        if (left <= RETRY_NANOS) {
            throw new TimeoutException();
        }
        clocks.parkNanos(RETRY_NANOS);
    }

    private StoreUnavailableException isClosed() {
        return new StoreUnavailableException("the connection to " + servers + " is closed", null);
    }

    private StoreUnavailableException noAnswer(String what, Exception cause) {
        return new StoreUnavailableException(
                "no answer from " + servers + " within " + callTimeout.toMillis() + " ms while " + what, cause);
    }

    private StoreUnavailableException unclear(String what, Exception cause, @Nullable Exception before) {
        return new StoreUnavailableException(
                "no answer from " + servers + " while " + what + ", within " + callTimeout.toMillis()
                        + " ms or before the connection was lost: it may have happened, or may yet"
                        + (before instanceof RedisCommandExecutionException
                                ? "; before, " + refusals.passing(before)
                                : ""),
                cause);
    }

    @Override
    public void close() {
        CompletableFuture<StatefulRedisConnection<String, String>> last;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            last = current;
            current = null;
        }
        if (last != null) {
            closeOnceThere(last);
        }
        primaries.close();
    }
}
