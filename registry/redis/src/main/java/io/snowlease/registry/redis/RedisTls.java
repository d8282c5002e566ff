package io.snowlease.registry.redis;

import io.lettuce.core.SslOptions;
import io.netty.handler.ssl.SslContextBuilder;
import io.snowlease.registry.spi.StoreTls;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** TLS of the connections of one store. Host names are verified. Immutable. */
final class RedisTls {
    private static final String PEM = "PEM";

    private final StoreTls files;

    private RedisTls(StoreTls files) {
        this.files = files;
    }

    /**
     * Checks that the files can be used.
     *
     * @throws StoreUnavailableException if one can't: the message says which and why
     */
    static RedisTls of(StoreTls files) {
        Path trust = files.trustStore();
        if (trust != null) {
            check("trust store", trust, files.trustStorePassword(), false);
        }
        Path key = files.keyStore();
        if (key != null) {
            check("key store", key, files.keyStorePassword(), true);
        }
        return new RedisTls(files);
    }

    private static void check(String kind, Path file, @Nullable String password, boolean isKey) {
        Exception failed;
        try {
            if (Files.isReadable(file)) {
                load(file, password, isKey);
                return;
            }
            failed = new IOException(Files.exists(file) ? "it can't be read" : "there is no such file");
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            failed = e;
        }
        throw new StoreUnavailableException(
                "the " + kind + " " + file + " for TLS to Redis can't be used as " + type(file) + ": " + reason(failed),
                failed);
    }

    private static void load(Path file, @Nullable String password, boolean isKey)
            throws IOException, GeneralSecurityException {
        if (!type(file).equals(PEM)) {
            try (InputStream in = Files.newInputStream(file)) {
                KeyStore.getInstance(type(file)).load(in, chars(password));
            }
        } else if (isKey) {
            SslContextBuilder unused = SslContextBuilder.forClient().keyManager(file.toFile(), file.toFile(), password);
        } else {
            SslContextBuilder unused = SslContextBuilder.forClient().trustManager(file.toFile());
        }
    }

    private static String reason(Exception failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof UnrecoverableKeyException) {
            return "its password is wrong";
        }
        String message = root.getMessage();
        return message == null || message.isBlank() ? root.toString() : message;
    }

    private static String type(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".p12") || name.endsWith(".pfx")) {
            return "PKCS12";
        }
        return name.endsWith(".jks") ? "JKS" : PEM;
    }

    private static char[] chars(@Nullable String password) {
        return password == null ? new char[0] : password.toCharArray();
    }

    /** For Lettuce, which reads the files again at each connection; the JDK tells PKCS12 and JKS apart by itself. */
    SslOptions options(Duration handshakeTimeout) {
        SslOptions.Builder options = SslOptions.builder().jdkSslProvider().handshakeTimeout(handshakeTimeout);
        Path trust = files.trustStore();
        if (trust != null) {
            if (type(trust).equals(PEM)) {
                options.trustManager(trust.toFile());
            } else {
                options.truststore(SslOptions.Resource.from(trust.toFile()), chars(files.trustStorePassword()));
            }
        }
        Path key = files.keyStore();
        if (key != null) {
            File file = key.toFile();
            if (type(key).equals(PEM)) {
                options.keyManager(file, file, chars(files.keyStorePassword()));
            } else {
                options.keystore(SslOptions.Resource.from(file), chars(files.keyStorePassword()));
            }
        }
        return options.build();
    }

    /** For messages. */
    @Override
    public String toString() {
        return files.trustStore() == null ? "the JDK's trust store" : "the trust store " + files.trustStore();
    }
}
