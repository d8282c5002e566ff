package io.snowlease.registry.zookeeper;

import io.snowlease.registry.spi.StoreTls;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Exception;
import org.apache.zookeeper.common.X509Util;
import org.apache.zookeeper.common.ZKConfig;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one connection: nothing of it is a system property, which all clients of the process would share. Host names
 * are verified, unless ZooKeeper's own {@code zookeeper.ssl.hostnameVerification} says otherwise. Immutable.
 */
final class ClientTls {
    private final StoreTls files;

    private ClientTls(StoreTls files) {
        this.files = files;
    }

    /**
     * Checks that the files can be used.
     *
     * @throws StoreUnavailableException if one can't: the message says which and why
     */
    static ClientTls of(StoreTls files) {
        Path trust = files.trustStore();
        if (trust != null) {
            check("trust store", trust, files.trustStorePassword(), X509Util::loadTrustStore);
        }
        Path key = files.keyStore();
        if (key != null) {
            check("key store", key, files.keyStorePassword(), X509Util::createKeyManager);
        }
        return new ClientTls(files);
    }

    /** Something that loads a file. */
    @FunctionalInterface
    private interface Loader {
        Object load(String location, String password, String type)
                throws IOException, GeneralSecurityException, X509Exception;
    }

    private static void check(String kind, Path file, @Nullable String password, Loader loader) {
        Exception failed;
        try {
            if (Files.isReadable(file)) {
                Object unused = loader.load(file.toString(), password == null ? "" : password, type(file));
                return;
            }
            failed = new IOException(Files.exists(file) ? "it can't be read" : "there is no such file");
        } catch (IOException | GeneralSecurityException | X509Exception | RuntimeException e) {
            failed = e;
        }
        throw new StoreUnavailableException(
                "the " + kind + " " + file + " for TLS to ZooKeeper can't be used as " + type(file) + ": "
                        + TlsProblem.ofFile(failed),
                failed);
    }

    private static String type(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".p12") || name.endsWith(".pfx")) {
            return "PKCS12";
        }
        return name.endsWith(".jks") ? "JKS" : "PEM";
    }

    /** Makes a client use TLS. */
    void on(ZKClientConfig config) {
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
        addFiles(config);
    }

    private void addFiles(ZKConfig config) {
        try (ClientX509Util names = new ClientX509Util()) {
            Path trust = files.trustStore();
            if (trust != null) {
                String password = files.trustStorePassword();
                config.setProperty(names.getSslTruststoreLocationProperty(), trust.toString());
                config.setProperty(names.getSslTruststorePasswdProperty(), password == null ? "" : password);
                config.setProperty(names.getSslTruststoreTypeProperty(), type(trust));
            }
            Path key = files.keyStore();
            if (key != null) {
                String password = files.keyStorePassword();
                config.setProperty(names.getSslKeystoreLocationProperty(), key.toString());
                config.setProperty(names.getSslKeystorePasswdProperty(), password == null ? "" : password);
                config.setProperty(names.getSslKeystoreTypeProperty(), type(key));
            }
        }
    }

    /** The same certificates, for a handshake of our own. */
    SSLContext context() throws X509Exception {
        ZKClientConfig config = new ZKClientConfig();
        addFiles(config);
        try (ClientX509Util tls = new ClientX509Util()) {
            return tls.createSSLContext(config);
        }
    }

    /** For messages. */
    @Override
    public String toString() {
        return files.trustStore() == null ? "the JDK's trust store" : "the trust store " + files.trustStore();
    }
}
