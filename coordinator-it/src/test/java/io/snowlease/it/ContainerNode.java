package io.snowlease.it;

import static org.awaitility.Awaitility.await;

import io.snowlease.admin.e2e.FakeClock;
import io.snowlease.admin.e2e.IdConnection;
import io.snowlease.admin.e2e.IdConnection.Answer;
import io.snowlease.admin.e2e.IdServer;
import io.snowlease.admin.e2e.IssuedIds;
import io.snowlease.generator.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** A {@code serve} in a container of its own, on a wall clock of its own. */
final class ContainerNode implements IdServer, AutoCloseable {
    static final int PORT = 7070;

    private static final Path FAKETIME = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");
    private static final Pattern ID = Pattern.compile("\"(\\d+)\"");
    private static final Pattern READY = Pattern.compile("ready: worker (\\d+),");

    private final Box box;
    private final int port;
    private final String name;
    private final IssuedIds ids;
    private final List<String> options;
    private final FakeClock clock;
    private final AtomicInteger run = new AtomicInteger();
    private @Nullable Program server;
    private int pid;

    /** One that is still to be started, in a container that has none. */
    ContainerNode(Box box, String name, IssuedIds ids, List<String> options) {
        this(box, box.port(PORT), PORT, name, ids, options);
    }

    /** As above, with a port of its own inside the container, mapped to {@code port}. */
    ContainerNode(Box box, int port, int inside, String name, IssuedIds ids, List<String> options) {
        this.box = box;
        this.port = port;
        this.name = name;
        this.ids = ids;
        this.options = new ArrayList<>(
                List.of("serve", "--host", "0.0.0.0", "--port", Integer.toString(inside), "--node", name));
        this.options.addAll(options);
        this.clock = new FakeClock(box.folder());
    }

    /** To have this process id in its container. */
    ContainerNode as(int itsPid) {
        this.pid = itsPid;
        return this;
    }

    /** Starts it, without waiting for it. */
    ContainerNode start() {
        List<String> command = new ArrayList<>(List.of("env"));
        Path seen = Path.of("/box").resolve(box.folder().relativize(clock.file()));
        FakeClock.environment(FAKETIME, seen).forEach((key, value) -> command.add(key + "=" + value));
        command.addAll(List.of("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m"));
        command.addAll(List.of("-XX:SharedArchiveFile=" + NodeBoxes.archive(), "-jar", Box.JAR));
        command.addAll(options);
        run.incrementAndGet();
        server = box.start(name, command, pid);
        return this;
    }

    /** Waits until it says that it is ready; the worker id. */
    int awaitReady() {
        try {
            await("start of " + name)
                    .atMost(Program.PATIENCE)
                    .pollInterval(20, TimeUnit.MILLISECONDS)
                    .until(() -> READY.matcher(program().out()).find());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    name + " is not ready; stderr: " + program().err(), e);
        }
        Matcher ready = READY.matcher(program().out());
        if (!ready.find()) {
            throw new AssertionError(program().out());
        }
        return Integer.parseInt(ready.group(1));
    }

    Program program() {
        return Objects.requireNonNull(server, "not started");
    }

    Box box() {
        return box;
    }

    FakeClock clock() {
        return clock;
    }

    String name() {
        return name;
    }

    void kill() {
        program().kill();
    }

    /** Tells it to stop, and waits until it has. */
    void stop() {
        program().signal("TERM");
        program().awaitEnd();
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

    /** Asks it for ids until it gives some, or says why it does not. */
    void awaitAnswer() {
        awaitAnswer("answer", answer -> true);
    }

    /** Asks it for ids until it gives some, or refuses with a text in which this pattern is found. */
    void awaitIdsOrRefusal(String regex) {
        Pattern text = Pattern.compile(regex);
        awaitAnswer(
                "ids, or refusal: " + regex,
                answer -> answer.status() == 200 || text.matcher(answer.body()).find());
    }

    /** Asks it for ids until there are some. */
    void awaitIds() {
        awaitAnswer("ids", answer -> answer.status() == 200);
    }

    /** By an id that it is asked for. */
    int worker() {
        Matcher id = ID.matcher(
                awaitAnswer("an id", answer -> answer.status() == 200).body());
        if (!id.find()) {
            throw new AssertionError(id);
        }
        return Layout.CLASSIC.decode(Long.parseLong(id.group(1))).worker();
    }

    /** Asks it for ids until it refuses with a text in which this pattern is found. */
    void awaitRefusal(String regex) {
        Pattern text = Pattern.compile(regex);
        awaitAnswer(
                "refusal: " + regex,
                answer -> answer.status() == 503 && text.matcher(answer.body()).find());
    }

    private Answer awaitAnswer(String what, Predicate<Answer> wanted) {
        AtomicReference<@Nullable Answer> last = new AtomicReference<>();
        IssuedIds.Client client = client(run());
        try {
            await(what + " of " + name)
                    .atMost(Program.PATIENCE)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> {
                        try (IdConnection connection = new IdConnection(port, client::issued)) {
                            Answer answer = connection.ask(1);
                            last.set(answer);
                            if (answer.status() != 200) {
                                client.refused();
                            }
                            return wanted.test(answer);
                        } catch (IOException e) {
                            return false;
                        }
                    });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    "last answer: " + last.get() + "; stderr: " + program().err(), e);
        }
        return Objects.requireNonNull(last.get());
    }

    @Override
    public void close() {
        Program running = server;
        if (running != null) {
            running.kill();
        }
        clock.set(Duration.ZERO);
    }

    @Override
    public String toString() {
        return name;
    }
}
