package io.snowlease.registry.spi;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Certificates for TLS to the coordinator. Files are PKCS12 ({@code .p12}, {@code .pfx}), JKS ({@code .jks}) or PEM (any
 * other ending; a key store then holds the private key and its certificates). They are read again at each connection, so
 * that renewed ones are used. No text of this class holds a password.
 *
 * @param trustStore certificates that servers' ones must be signed by; null for those the JDK trusts
 * @param trustStorePassword null for none
 * @param keyStore this node's own key and certificate; null for none
 * @param keyStorePassword null for none
 */
public record StoreTls(
        @Nullable Path trustStore,
        @Nullable String trustStorePassword,
        @Nullable Path keyStore,
        @Nullable String keyStorePassword) {
    /** What the JDK trusts, and no certificate of one's own. */
    public static final StoreTls DEFAULTS = new StoreTls(null, null, null, null);

    /** The same with this trust store. */
    public StoreTls withTrustStore(Path file, @Nullable String password) {
        return new StoreTls(file, password, keyStore, keyStorePassword);
    }

    /** The same with this key store. */
    public StoreTls withKeyStore(Path file, @Nullable String password) {
        return new StoreTls(trustStore, trustStorePassword, file, password);
    }

    /** The files alone. */
    @Override
    public String toString() {
        return "trust store " + trustStore + ", key store " + keyStore;
    }
}
