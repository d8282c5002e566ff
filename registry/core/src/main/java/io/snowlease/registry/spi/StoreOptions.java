package io.snowlease.registry.spi;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What opening a store may need beside its URI.
 *
 * @param callTimeout longest wait of one call
 * @param dataFolder where an embedded coordinator keeps its data; null for {@link #defaultDataFolder}
 * @param embeddedPort loopback port of an embedded coordinator; 0 for any
 * @param startEmbedded whether an embedded coordinator that isn't running may be started
 * @param credentials what the coordinator knows this node by; null for none
 * @param tls certificates for a URI that asks for TLS; null for the JDK's
 * @param sentinelCredentials what Redis' sentinels know this node by; null for none
 */
public record StoreOptions(
        Duration callTimeout,
        @Nullable Path dataFolder,
        int embeddedPort,
        boolean startEmbedded,
        @Nullable StoreCredentials credentials,
        @Nullable StoreTls tls,
        @Nullable StoreCredentials sentinelCredentials) {
    /** Port of the embedded coordinator where none is stated. */
    public static final int DEFAULT_EMBEDDED_PORT = 21810;

    /** 5 s a call, embedded data in its default folder. */
    public static final StoreOptions DEFAULTS =
            new StoreOptions(Duration.ofSeconds(5), null, DEFAULT_EMBEDDED_PORT, true);

    /** Checks the ranges. */
    public StoreOptions {
        if (callTimeout.isNegative() || callTimeout.isZero()) {
            throw new IllegalArgumentException("must be > 0: callTimeout=" + callTimeout);
        }
        if (embeddedPort < 0 || embeddedPort > 65535) {
            throw new IllegalArgumentException("must be 0-65535, 0 for any: embeddedPort=" + embeddedPort);
        }
    }

    /** {@code ${XDG_DATA_HOME:-~/.local/share}/snowlease}. */
    public static Path defaultDataFolder() {
        String dataHome = System.getenv("XDG_DATA_HOME");
        Path base = dataHome == null || dataHome.isEmpty() || !Path.of(dataHome).isAbsolute()
                ? Path.of(System.getProperty("user.home"), ".local", "share")
                : Path.of(dataHome);
        return base.resolve("snowlease");
    }

    /** Without credentials and certificates. */
    public StoreOptions(Duration callTimeout, @Nullable Path dataFolder, int embeddedPort, boolean startEmbedded) {
        this(callTimeout, dataFolder, embeddedPort, startEmbedded, null, null);
    }

    /** Without credentials for sentinels. */
    public StoreOptions(
            Duration callTimeout,
            @Nullable Path dataFolder,
            int embeddedPort,
            boolean startEmbedded,
            @Nullable StoreCredentials credentials,
            @Nullable StoreTls tls) {
        this(callTimeout, dataFolder, embeddedPort, startEmbedded, credentials, tls, null);
    }
}
