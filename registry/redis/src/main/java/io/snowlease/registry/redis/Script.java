package io.snowlease.registry.redis;

import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The scripts, each one atomic step on the server; what they take and give is said at the top of their files. */
enum Script {
    VIEW(ScriptOutputType.MULTI),
    CREATE(ScriptOutputType.INTEGER),
    REPLACE(ScriptOutputType.INTEGER),
    READ(ScriptOutputType.VALUE),
    WRITE(ScriptOutputType.VALUE),
    WORKERSOF(ScriptOutputType.VALUE),
    BOUNDS(ScriptOutputType.MULTI),
    LIST(ScriptOutputType.MULTI),
    NEVERUSED(ScriptOutputType.VALUE, "offers"),
    CANDIDATES(ScriptOutputType.MULTI, "offers");

    private final ScriptOutputType output;
    private final String text;
    private final String sha1;

    Script(ScriptOutputType output, String... parts) {
        this.output = output;
        StringBuilder all = new StringBuilder(part("prelude"));
        for (String part : parts) {
            all.append(part(part));
        }
        this.text = all.append(part(label())).append(part("epilogue")).toString();
        this.sha1 = sha1(text);
    }

    ScriptOutputType output() {
        return output;
    }

    String text() {
        return text;
    }

    /** What EVALSHA calls it. */
    String sha1() {
        return sha1;
    }

    /** Its file's name. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static String part(String name) {
        try (InputStream file = Script.class.getResourceAsStream(name + ".lua")) {
            if (file == null) {
                throw new IllegalStateException("missing from the jar: " + name + ".lua");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("can't be read from the jar: " + name + ".lua", e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
