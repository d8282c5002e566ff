package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.snowlease.admin.e2e.IdConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;
import org.jspecify.annotations.Nullable;

/**
 * A {@code serve} that is killed and started again just as it was, on a wall clock of its own where a test wants that.
 * Every id it is asked for is told to the test's {@link IssuedIds}.
 */
final class Node implements IdServer, AutoCloseable {
    private final Path folder;
    private final String name;
    private final IssuedIds ids;
    private final List<String> options;
    private final int port = FreePort.find();
    private @Nullable FakeClock clock;
    private List<String> wrapper = List.of();
    private @Nullable Server server;
    private @Nullable IdConnection connection;
    private IssuedIds.@Nullable Client client;
    private final AtomicInteger run = new AtomicInteger();
    private long startedNanos;

    /** One that is still to be started. */
    Node(Path folder, String name, IssuedIds ids, String... options) {
        this.folder = folder;
        this.name = name;
        this.ids = ids;
        this.options = List.of(options);
    }

    /** To be told before it is started. */
    Node on(FakeClock itsClock) {
        this.clock = itsClock;
        return this;
    }

    /** From its next start on it runs under this command, which must become it ({@code exec}). */
    Node under(List<String> command) {
        this.wrapper = command;
        return this;
    }

    /** Starts it, without waiting for it. */
    Node start(String... more) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--node", name, "--port", Integer.toString(port)));
        arguments.addAll(options);
        arguments.addAll(List.of(more));
        ProcessBuilder builder = Running.builder(arguments.toArray(String[]::new));
        builder.command().addAll(0, wrapper);
        if (clock != null) {
            builder.environment().putAll(clock.environment());
        }
        run.incrementAndGet();
        startedNanos = System.nanoTime();
        server = new Server(Running.start(folder, builder));
        return this;
    }

    Node awaitReady() {
        server().awaitReady();
        return this;
    }

    Server server() {
        return Objects.requireNonNull(server, "not started");
    }

    /** Since it was started last. */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    Running process() {
        return server().process();
    }

    IssuedIds ids() {
        return ids;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public int run() {
        return run.get();
    }

    @Override
    public IssuedIds.Client client(int ofRun) {
        return ids.client(name, ofRun);
    }

    /** SIGKILL, and waits until it is gone. */
    void kill() {
        disconnect();
        Running process = process();
        process.close();
        FakeClock.sweepAfter(process.pid());
    }

    /** Asks it for ids. */
    Answer ask(int count) throws IOException {
        IssuedIds.Client asking = client;
        IdConnection open = connection;
        if (open == null || asking == null) {
            asking = client(run.get());
            client = asking;
            open = new IdConnection(port, asking::issued);
            connection = open;
        }
        Answer answer = open.ask(count);
        assertThat(answer.status()).as(answer.body()).isIn(200, 503);
        if (answer.status() == 503) {
            asking.refused();
        }
        return answer;
    }

    /** Asks it for one id after the other until there is one, over connections that may be refused at first. */
    long awaitId() {
        String id = awaitAnswer(reply -> reply.status() == 200).body().replaceAll("\\D+", "");
        return Long.parseLong(id);
    }

    /** Asks it for an id until it refuses with a text in which this pattern is found; the text. */
    String awaitRefusal(String regex) {
        return awaitAnswer(reply -> reply.status() == 503
                        && Pattern.compile(regex).matcher(reply.body()).find())
                .body();
    }

    private Answer awaitAnswer(Predicate<Answer> wanted) {
        AtomicReference<@Nullable Answer> last = new AtomicReference<>();
        try {
            await().atMost(Running.PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .failFast(() -> !process().isAlive())
                    .until(() -> {
                        try {
                            Answer answer = ask(1);
                            last.set(answer);
                            return wanted.test(answer);
                        } catch (IOException e) {
                            disconnect();
                            return false;
                        }
                    });
        } catch (ConditionTimeoutException | TerminalFailureException e) {
            throw new AssertionError(
                    "last answer: " + last.get() + "; stderr: " + process().err(), e);
        }
        return Objects.requireNonNull(last.get());
    }

    private void disconnect() {
        IdConnection open = connection;
        connection = null;
        client = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        if (server != null) {
            kill();
        }
    }
}
