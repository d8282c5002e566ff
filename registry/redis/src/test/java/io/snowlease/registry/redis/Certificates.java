package io.snowlease.registry.redis;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Certificates of an authority of one's own, made by the JDK's keytool. */
final class Certificates {
    static final String PASSWORD = "secret-of-stores";

    private static final String AUTHORITY = "authority";

    private final Path folder;
    private final Path all;

    Certificates(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        this.all = folder.resolve("all.p12");
        keytool(AUTHORITY, "-ext", "bc:c", "-validity", "30");
    }

    /** Key and certificate of a server, signed by the authority; {@code arguments} are keytool's. */
    Path key(String name, String... arguments) throws IOException, InterruptedException, GeneralSecurityException {
        List<String> signed = new ArrayList<>(List.of("-signer", AUTHORITY));
        signed.addAll(List.of(arguments));
        keytool(name, signed.toArray(String[]::new));
        KeyStore from = KeyStore.getInstance(all.toFile(), PASSWORD.toCharArray());
        KeyStore own = empty("PKCS12");
        own.setKeyEntry(
                name,
                from.getKey(name, PASSWORD.toCharArray()),
                PASSWORD.toCharArray(),
                from.getCertificateChain(name));
        return write(own, folder.resolve(name + ".p12"));
    }

    /** The same as Redis wants it: {@code name.crt} and {@code name.key}, without a password. */
    List<Path> pem(String name, String... arguments)
            throws IOException, InterruptedException, GeneralSecurityException {
        KeyStore own = KeyStore.getInstance(key(name, arguments).toFile(), PASSWORD.toCharArray());
        StringBuilder chain = new StringBuilder();
        for (Certificate one : own.getCertificateChain(name)) {
            chain.append(armour("CERTIFICATE", one.getEncoded()));
        }
        byte[] key = own.getKey(name, PASSWORD.toCharArray()).getEncoded();
        return List.of(
                Files.writeString(folder.resolve(name + ".crt"), chain),
                Files.writeString(folder.resolve(name + ".key"), armour("PRIVATE KEY", key)));
    }

    private static String armour(String kind, byte[] der) {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
    }

    /** A trust store with the authority alone; its ending says of which kind. */
    Path trust(String file) throws IOException, GeneralSecurityException {
        Path path = folder.resolve(file);
        Certificate authority =
                KeyStore.getInstance(all.toFile(), PASSWORD.toCharArray()).getCertificate(AUTHORITY);
        if (file.endsWith(".pem")) {
            return Files.writeString(path, armour("CERTIFICATE", authority.getEncoded()));
        }
        KeyStore trust = empty(file.endsWith(".jks") ? "JKS" : "PKCS12");
        trust.setCertificateEntry(AUTHORITY, authority);
        return write(trust, path);
    }

    private static KeyStore empty(String type) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        return store;
    }

    private static Path write(KeyStore store, Path path) throws IOException, GeneralSecurityException {
        try (OutputStream out = Files.newOutputStream(path)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return path;
    }

    private void keytool(String name, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-keystore",
                all.toString(),
                "-storepass",
                PASSWORD));
        line.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("keytool failed: " + Files.readString(folder.resolve("keytool.log")));
        }
    }
}
