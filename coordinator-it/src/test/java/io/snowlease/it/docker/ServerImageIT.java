package io.snowlease.it.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.snowlease.it.Images;
import io.snowlease.it.docker.Docker.Result;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The image of the server, built and run. */
class ServerImageIT {
    private static final String IMAGE = "snowlease-test-server";
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern READY =
            Pattern.compile("^ready: worker 0, namespace default, http://0\\.0\\.0\\.0:7070$", Pattern.MULTILINE);
    private static final String WAITING_HEALTH =
            "no ids yet: \\{\"type\":\"about:blank\",\"title\":\"Service Unavailable\""
                    + ",\"status\":503,\"detail\":\".*\"}";

    private String container = "";

    @BeforeAll
    static void buildsTheImage() {
        String base = Images.named("SNOWLEASE_JRE_IMAGE");
        Docker.run("build", "-q", "-f", "docker/Dockerfile", "--build-arg", "BASE=" + base, "-t", IMAGE, ".");
    }

    @BeforeEach
    void creates() {
        // As Kubernetes runs it: nothing but the volumes and /tmp can be written.
        start();
    }

    private void start(String... options) {
        String[] before = {"run", "-d", "--label", "snowlease-test", "--read-only", "--tmpfs", "/tmp"};
        String[] arguments = new String[before.length + options.length + 1];
        System.arraycopy(before, 0, arguments, 0, before.length);
        System.arraycopy(options, 0, arguments, before.length, options.length);
        arguments[arguments.length - 1] = IMAGE;
        container = Docker.run(arguments);
    }

    @AfterEach
    void removes() {
        Docker.run("rm", "-f", "-v", container);
    }

    @Test
    void servesIdsAsAUserWithoutRights() {
        awaitReady(1);

        assertThat(execute("id", "-u")).isEqualTo("10001");
        assertThat(execute("snowlease-health")).isEqualTo("serving");
        assertThat(execute("snowlease-health", "--live")).isEqualTo("serving");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(inspect("{{.State.Health.Status}}")).isEqualTo("healthy"));
        assertThat(id()).isPositive();
    }

    @Test
    void drainsAndExitsWith0WhenStopped() {
        awaitReady(1);

        Docker.run("stop", "-t", "60", container);

        assertThat(inspect("{{.State.ExitCode}} {{.State.OOMKilled}}")).isEqualTo("0 false");
        assertThat(inspect("{{.Config.StopSignal}} {{.Config.User}}")).isEqualTo("SIGTERM 10001:10001");
    }

    @Test
    void goesOnWithItsWorkerIdAfterItWasKilled() {
        awaitReady(1);
        long before = id();

        Docker.run("kill", container);
        assertThat(inspect("{{.State.ExitCode}}")).isEqualTo("137");
        Docker.run("start", container);
        // Without the journal worker 0 were still taken, and it would say "ready: worker 1".
        awaitReady(2);

        assertThat(id()).isGreaterThan(before);
    }

    @Test
    void livesButIsNotHealthyWhileItWaitsForTheCoordinator() {
        removes();
        start("-e", "SNOWLEASE_COORDINATOR=zookeeper://127.0.0.1:1", "-e", "SNOWLEASE_START_TIMEOUT=10m");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(health("--live").text()).matches(WAITING_HEALTH));

        assertThat(health("--live").code()).isZero();
        Result ready = health("");
        assertThat(ready.text()).matches(WAITING_HEALTH);
        assertThat(ready.code()).isOne();
    }

    @Test
    void isNotHealthyWhereNothingListens() {
        Result result = Docker.attempt(
                "run", "--rm", "--label", "snowlease-test", "--entrypoint", "snowlease-health", IMAGE, "--live");

        assertThat(result).isEqualTo(new Result(1, "nothing listens on port 7070"));
    }

    private void awaitReady(int times) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Matcher ready = READY.matcher(Docker.run("logs", container));
            assertThat(ready.results().count()).isEqualTo(times);
        });
    }

    private long id() {
        String script = "exec 3<>/dev/tcp/127.0.0.1/7070; printf 'GET /v1/id HTTP/1.0\\r\\n\\r\\n' >&3; tail -n 1 <&3";
        // On a busy disk, the journal's next timestamps may take a while.
        return await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(NumberFormatException.class)
                .until(() -> Long.parseLong(execute("bash", "-c", script)), id -> id > 0);
    }

    private Result health(String option) {
        return Docker.attempt("exec", container, "snowlease-health", option);
    }

    private String execute(String... command) {
        String[] arguments = new String[command.length + 2];
        arguments[0] = "exec";
        arguments[1] = container;
        System.arraycopy(command, 0, arguments, 2, command.length);
        return Docker.run(arguments);
    }

    private String inspect(String format) {
        return Docker.run("inspect", "-f", format, container);
    }
}
