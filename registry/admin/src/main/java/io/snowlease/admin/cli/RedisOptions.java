package io.snowlease.admin.cli;

import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.spi.StoreCredentials;
import io.snowlease.registry.spi.StoreTls;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How to get access to a Redis that is protected. A URI may hold the password too, but others see a command line. */
final class RedisOptions {
    private static final String AUTH = "SNOWLEASE_REDIS_AUTH";
    private static final String AUTH_FILE = "--redis-auth-file";
    private static final String SENTINEL_AUTH = "SNOWLEASE_REDIS_SENTINEL_AUTH";
    private static final String SENTINEL_AUTH_FILE = "--redis-sentinel-auth-file";
    private static final String TRUST_PASSWORD = "SNOWLEASE_REDIS_TRUST_STORE_PASSWORD";
    private static final Pattern SENTINELS = Pattern.compile("rediss?-sentinel:", Pattern.CASE_INSENSITIVE);
    private static final String KEY_PASSWORD = "SNOWLEASE_REDIS_KEY_STORE_PASSWORD";

    @Option(
            names = AUTH_FILE,
            paramLabel = "FILE",
            description = "File that holds user:password for Redis; with requirepass alone the user is called default."
                    + " Default: $" + AUTH + "_FILE, else user:password in $" + AUTH
                    + ", else what the URI holds, else none")
    @Nullable
    Path authFile;

    @Option(
            names = SENTINEL_AUTH_FILE,
            paramLabel = "FILE",
            description =
                    "For redis-sentinel: file that holds user:password for the sentinels, which are not given those"
                            + " of Redis; with requirepass alone the user is called default. Default: $" + SENTINEL_AUTH
                            + "_FILE, else user:password in $" + SENTINEL_AUTH + ", else none")
    @Nullable
    Path sentinelAuthFile;

    @Option(
            names = "--redis-trust-store",
            paramLabel = "FILE",
            description = "For rediss: certificates that the servers' ones must be signed by; .p12, .jks or PEM. Its"
                    + " password, if any, is in $" + TRUST_PASSWORD + ". Default: what the JDK trusts")
    @Nullable
    Path trustStore;

    @Option(
            names = "--redis-key-store",
            paramLabel = "FILE",
            description =
                    "For rediss: this node's key and certificate, where the servers ask for one; .p12, .jks or PEM."
                            + " Its password, if any, is in $" + KEY_PASSWORD + ". Default: none")
    @Nullable
    Path keyStore;

    private final AuthFile file = new AuthFile(AUTH_FILE);
    private final AuthFile sentinelFile = new AuthFile(SENTINEL_AUTH_FILE);

    /** Whether these are what {@code coordinator} needs, and not those of ZooKeeper. */
    static boolean areFor(String coordinator) {
        return coordinator.toLowerCase(Locale.ROOT).startsWith("redis");
    }

    /**
     * Adds these to {@code builder}; those for sentinels only where there are some.
     *
     * @throws IllegalArgumentException if a variable or a file holds anything else
     * @throws ParameterException if a file can't be read
     */
    void addTo(WorkerRegistryBuilder builder, String coordinator, CommandSpec command) {
        if (trustStore != null || keyStore != null) {
            builder.tls(new StoreTls(
                    trustStore,
                    AuthFile.secret(TRUST_PASSWORD, command),
                    keyStore,
                    AuthFile.secret(KEY_PASSWORD, command)));
        }
        builder.credentials(credentials(authFile, file, AUTH, command));
        if (SENTINELS.matcher(coordinator).lookingAt()) {
            builder.sentinelCredentials(credentials(sentinelAuthFile, sentinelFile, SENTINEL_AUTH, command));
        }
    }

    private static @Nullable StoreCredentials credentials(
            @Nullable Path named, AuthFile file, String variable, CommandSpec command) {
        if (named != null) {
            return file.credentials(named, command);
        }
        String secret = AuthFile.secret(variable, command);
        return secret == null ? null : StoreCredentials.parse(secret, "$" + variable);
    }
}
