package io.snowlease.admin.cli;

import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.spi.StoreCredentials;
import io.snowlease.registry.spi.StoreTls;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How to get access to a ZooKeeper that is protected. No secret is taken from the command line, which others see. */
final class ZooKeeperOptions {
    private static final String AUTH = "SNOWLEASE_ZOOKEEPER_AUTH";
    private static final String AUTH_FILE = "--zookeeper-auth-file";
    private static final String TRUST_PASSWORD = "SNOWLEASE_ZOOKEEPER_TRUST_STORE_PASSWORD";
    private static final String KEY_PASSWORD = "SNOWLEASE_ZOOKEEPER_KEY_STORE_PASSWORD";

    @Option(
            names = AUTH_FILE,
            paramLabel = "FILE",
            description = "File that holds user:password for ZooKeeper's digest authentication; what is made then"
                    + " belongs to this user alone. Default: $" + AUTH + "_FILE, else user:password in $" + AUTH
                    + ", else none")
    @Nullable
    Path authFile;

    @Option(
            names = "--zookeeper-trust-store",
            paramLabel = "FILE",
            description = "For zookeeper+tls: certificates that the servers' ones must be signed by; .p12, .jks or PEM."
                    + " Its password, if any, is in $" + TRUST_PASSWORD + ". Default: what the JDK trusts")
    @Nullable
    Path trustStore;

    @Option(
            names = "--zookeeper-key-store",
            paramLabel = "FILE",
            description = "For zookeeper+tls: this node's key and certificate, where the servers ask for one; .p12,"
                    + " .jks or PEM. Its password, if any, is in $" + KEY_PASSWORD + ". Default: none")
    @Nullable
    Path keyStore;

    private final AuthFile file = new AuthFile(AUTH_FILE);

    /**
     * Adds these to {@code builder}; those of the environment only where they can be used.
     *
     * @throws IllegalArgumentException if the variable or the file holds anything else
     * @throws ParameterException if the file can't be read
     */
    void addTo(WorkerRegistryBuilder builder, String coordinator, CommandSpec command) {
        builder.tls(tls(command));
        if (authFile != null) {
            builder.credentials(file.credentials(authFile, command));
        } else if (coordinator.toLowerCase(Locale.ROOT).startsWith("zookeeper")) {
            String secret = AuthFile.secret(AUTH, command);
            builder.credentials(secret == null ? null : StoreCredentials.parse(secret, "$" + AUTH));
        }
    }

    private @Nullable StoreTls tls(CommandSpec command) {
        if (trustStore == null && keyStore == null) {
            return null;
        }
        return new StoreTls(
                trustStore, AuthFile.secret(TRUST_PASSWORD, command), keyStore, AuthFile.secret(KEY_PASSWORD, command));
    }
}
