package io.snowlease.registry.spi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * User and password for the coordinator. No text of this class, nor of what it throws, holds the password. Immutable.
 */
public final class StoreCredentials {
    private final String user;
    private final String password;

    private StoreCredentials(String user, String password) {
        this.user = user;
        this.password = password;
    }

    /**
     * Credentials of a user.
     *
     * @throws IllegalArgumentException if one is empty, the user holds a colon, or one a control character
     */
    public static StoreCredentials of(String user, String password) {
        if (user.isEmpty()
                || password.isEmpty()
                || user.indexOf(':') >= 0
                || hasControl(user)
                || hasControl(password)) {
            throw malformed("credentials");
        }
        return new StoreCredentials(user, password);
    }

    /**
     * Reads {@code user:password}; the password may hold colons.
     *
     * @param source what it comes from, for the message
     * @throws IllegalArgumentException if it is anything else
     */
    public static StoreCredentials parse(String text, String source) {
        int colon = text.indexOf(':');
        if (colon <= 0 || colon == text.length() - 1 || hasControl(text)) {
            throw malformed(source);
        }
        return new StoreCredentials(text.substring(0, colon), text.substring(colon + 1));
    }

    /**
     * Reads a file that holds {@code user:password} in UTF-8; line ends after it are left out.
     *
     * @throws IOException if it can't be read
     * @throws IllegalArgumentException if it holds anything else
     */
    public static StoreCredentials read(Path file) throws IOException {
        return parse(Files.readString(file).replaceFirst("[\\r\\n]+$", ""), "the file " + file);
    }

    /** The user's name. */
    public String user() {
        return user;
    }

    /** The password: not to be logged or shown. */
    public String password() {
        return password;
    }

    private static boolean hasControl(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    private static IllegalArgumentException malformed(String source) {
        return new IllegalArgumentException(
                "must be user:password on one line, none of them empty, no colon in the user: " + source);
    }

    /** The user alone. */
    @Override
    public String toString() {
        return user + ":***";
    }
}
