package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.registry.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The runnable jar on a real Redis. */
@TestInstance(Lifecycle.PER_CLASS)
class RedisIT {
    private static final String SECRET = "secret-of-lease";

    private Path folder;
    private RedisServer redis;
    private Path auth;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        redis = new RedisServer(folder.resolve("redis"), "appendonly yes", "appendfsync always");
        assertThat(redis.ask("ACL", "SETUSER", "lease", "on", ">" + SECRET, "~*", "+@all"))
                .isEqualTo("OK");
        auth = folder.resolve("auth");
        Files.createFile(auth, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(auth, "lease:" + SECRET + "\n");
    }

    @AfterAll
    void stop() {
        redis.close();
    }

    private Running run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--coordinator", redis.uri(), "--redis-auth-file", auth.toString()));
        return Running.start(folder, all.toArray(String[]::new));
    }

    @Test
    void servesAndPrintsIdsOnceEach() throws Exception {
        try (Running init = run("init", "--namespace", "orders", "--never-used")) {
            assertThat(init.exitCode()).as(init.err()).isZero();
            assertThat(init.out()).startsWith("made registry ").contains(" on 127.0.0.1:" + redis.port);
        }
        List<String> ids = new ArrayList<>();
        try (Running serve = run("serve", "--namespace", "orders", "--node", "a", "--port", "0")) {
            serve.awaitOut("ready: worker 0, namespace orders");
            try (Running next = run("next", "--namespace", "orders", "--node", "b", "--count", "1000")) {
                assertThat(next.exitCode()).as(next.err()).isZero();
                ids.addAll(next.outLines());
            }
            try (Running leases = run("leases", "--namespace", "orders", "--json")) {
                assertThat(leases.exitCode()).as(leases.err()).isZero();
                assertThat(leases.out())
                        .contains("{\"worker\":0,\"state\":\"HELD\",\"node\":\"a\"")
                        .contains("{\"worker\":1,\"state\":\"RELEASED\",\"node\":\"b\"");
            }
            serve.signal("TERM");
            assertThat(serve.exitCode()).as(serve.err()).isZero();
            assertThat(serve.err()).isEmpty();
        }
        assertThat(ids).hasSize(1_000).doesNotHaveDuplicates();
    }

    /** Two minutes ahead of any quarantine of its own: the start timeout says no at once. */
    @Test
    void aRegistryThatANodeMakesByConnectingWaitsAndSaysUntilWhenAndWhy() {
        try (Running serve = run("serve", "--namespace", "fresh", "--node", "a", "--port", "0")) {
            serve.awaitErr("snowlease: WARN made registry ");
            assertThat(serve.errLines().get(0))
                    .matches("snowlease: WARN made registry \\w+ on 127\\.0\\.0\\.1:\\d+; no lease starts before"
                            + " 20\\S+Z, as a coordinator that has lost its data looks just like a new one");
        }
    }

    @Test
    void doctorLooksAtTheServer() {
        try (Running doctor = run("doctor", "--namespace", "looked-at")) {
            int unused = doctor.exitCode();
            assertThat(doctor.out())
                    .contains("an append-only file, synced before a lease is acknowledged: a crash loses none")
                    .contains("no replica: with this server's disk all leases are lost");
        }
    }

    @Test
    void aLeaseDurationThatIsTooLongForRedisIsRefused() {
        try (Running init = run("init", "--namespace", "long", "--lease-duration", "11m")) {
            assertThat(init.exitCode()).isEqualTo(2);
            assertThat(init.err())
                    .contains("must be at most 10 min on Redis, which a new node waits out whenever data may have been"
                            + " lost: leaseDuration=PT11M");
        }
    }

    @Test
    void aWrongPasswordIsSaidToBeAndIsNotShown() throws IOException {
        try (Running leases = Running.start(
                folder, "leases", "--coordinator", "redis://lease:not-it@127.0.0.1:" + redis.port, "--verbose")) {
            assertThat(leases.exitCode()).isEqualTo(1);
            assertThat(leases.err())
                    .contains("does not accept the password of user 'lease' (WRONGPASS)")
                    .doesNotContain("not-it");
        }
    }
}
