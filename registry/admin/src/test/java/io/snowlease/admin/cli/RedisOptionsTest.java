package io.snowlease.admin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.admin.FakeAdmin;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets, and what is said of them. */
class RedisOptionsTest {
    private static final String RULE = "must be user:password on one line, none of them empty, no colon in the user: ";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"secret", ":secret", "alice:", "alice:sec\nret"})
    void aMalformedSecretIsRefusedAndNotRepeated(String text) throws IOException {
        assertThat(run(Map.of("SNOWLEASE_REDIS_AUTH", text), "leases", "--coordinator", "redis://h1"))
                .isEqualTo(2);
        assertThat(err()).isEqualTo(usage(RULE + "$SNOWLEASE_REDIS_AUTH"));

        Path file = file(text, "rw-------");
        assertThat(run(Map.of(), "leases", "--coordinator", "redis://h1", "--redis-auth-file", file.toString()))
                .isEqualTo(2);
        assertThat(err()).isEqualTo(usage(RULE + "the file " + file));
    }

    @Test
    void aMissingFileIsNamed() {
        Path none = folder.resolve("none");
        assertThat(run(Map.of("SNOWLEASE_REDIS_AUTH_FILE", none.toString()), "leases", "--coordinator", "redis://h1"))
                .isEqualTo(2);
        assertThat(err())
                .isEqualTo(usage("--redis-auth-file must be a file that can be read (NoSuchFileException):"
                        + " --redis-auth-file " + none + " (--redis-auth-file is from $SNOWLEASE_REDIS_AUTH_FILE)"));
    }

    @Test
    void warnsOfAFileThatEveryoneCanRead() throws IOException {
        Path open = file("alice:secret\n", "rw-r--r--");
        assertThat(run(Map.of(), "leases", "--coordinator", "redis://h1", "--redis-auth-file", open.toString()))
                .isZero();
        assertThat(err())
                .isEqualTo("snowlease: " + open
                        + " holds a password, and every user of this host can read it: chmod 600 it\n");

        Path closed = file("alice:secret\n", "rw-r-----");
        assertThat(run(Map.of(), "leases", "--coordinator", "redis://h1", "--redis-auth-file", closed.toString()))
                .isZero();
        assertThat(err()).isEmpty();
    }

    @Test
    void theEnvironmentsSecretIsForRedisAlone() {
        assertThat(run(Map.of("SNOWLEASE_REDIS_AUTH", "malformed"), "leases")).isZero();
        assertThat(err()).isEmpty();
        assertThat(run(Map.of("SNOWLEASE_ZOOKEEPER_AUTH", "malformed"), "leases", "--coordinator", "redis://h1"))
                .isZero();
        assertThat(err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-sentinel://h1#m", "REDISS-SENTINEL://h1#m"})
    void sentinelsHaveASecretOfTheirOwn(String coordinator) throws IOException {
        assertThat(run(Map.of("SNOWLEASE_REDIS_SENTINEL_AUTH", "secret"), "leases", "--coordinator", coordinator))
                .isEqualTo(2);
        assertThat(err()).isEqualTo(usage(RULE + "$SNOWLEASE_REDIS_SENTINEL_AUTH"));

        Path file = file("secret", "rw-------");
        assertThat(run(
                        Map.of("SNOWLEASE_REDIS_SENTINEL_AUTH_FILE", file.toString()),
                        "leases",
                        "--coordinator",
                        coordinator))
                .isEqualTo(2);
        assertThat(err()).isEqualTo(usage(RULE + "the file " + file));
    }

    @Test
    void aSentinelsSecretIsForSentinelsAlone() {
        assertThat(run(Map.of("SNOWLEASE_REDIS_SENTINEL_AUTH", "malformed"), "leases", "--coordinator", "redis://h1"))
                .isZero();
        assertThat(err()).isEmpty();
    }

    @Test
    void aPasswordIsGivenOnce() {
        assertThat(run(
                        Map.of("SNOWLEASE_REDIS_AUTH", "alice:secret-1"),
                        Backend.real(),
                        "leases",
                        "--coordinator",
                        "redis://alice:secret-2@h1"))
                .isEqualTo(2);
        assertThat(err())
                .isEqualTo(usage("must be given once, in the URI or by credentials(user, password),"
                        + " SNOWLEASE_REDIS_AUTH or --redis-auth-file: user and password for h1:6379"));
    }

    @Test
    void aStoreThatCannotBeUsedIsNamedAndItsPasswordIsNot() throws IOException {
        Path file = file("not a key", "rw-------");
        Map<String, String> environment = Map.of(
                "SNOWLEASE_COORDINATOR", "rediss://h1",
                "SNOWLEASE_REDIS_KEY_STORE", file.toString(),
                "SNOWLEASE_REDIS_KEY_STORE_PASSWORD", "secret");
        assertThat(run(environment, Backend.real(), "leases")).isEqualTo(1);
        assertThat(err())
                .startsWith("snowlease: the key store " + file + " for TLS to Redis can't be used as PEM: ")
                .doesNotContain("secret");
    }

    private Path file(String text, String permissions) throws IOException {
        Path file = folder.resolve("auth");
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static String usage(String message) {
        return "snowlease: " + message + "\nsnowlease: try 'snowlease leases --help'\n";
    }

    private int run(Map<String, String> environment, String... arguments) {
        return run(environment, new Nothing(), arguments);
    }

    private int run(Map<String, String> environment, Backend backend, String... arguments) {
        out.reset();
        err.reset();
        return SnowleaseCommand.run(
                new Io(out, new PrintStream(err, true, StandardCharsets.UTF_8)), backend, environment, arguments);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static final class Nothing implements Backend {
        @Override
        public WorkerRegistry connect(WorkerRegistryBuilder builder) {
            throw new AssertionError("not asked for");
        }

        @Override
        public RegistryAdmin openAdmin(WorkerRegistryBuilder builder) {
            return new FakeAdmin(null);
        }
    }
}
