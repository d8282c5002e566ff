package io.snowlease.admin.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file of {@code name = value} lines in UTF-8, the names those of the options without their dashes. A value is all that
 * comes after the first {@code =}, without blanks around it; there are no quotes and no escapes. Empty lines and those
 * that start with {@code #} say nothing. Nothing else is passed over.
 */
final class ConfigFile {
    private final Path file;
    private final Map<String, Entry> entries;

    private ConfigFile(Path file, Map<String, Entry> entries) {
        this.file = file;
        this.entries = entries;
    }

    /** A value, and the line it is in, from 1. */
    record Entry(String value, int line) {}

    /** The file is not as it must be; the message names it, and the line. */
    static final class ConfigException extends Exception {
        private static final long serialVersionUID = 1L;

        ConfigException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Reads all of it.
     *
     * @param names those that may be in it
     * @throws ConfigException if it can't be read, or a line of it is wrong
     */
    static ConfigFile read(Path file, Set<String> names) throws ConfigException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new ConfigException("a config file must be in UTF-8: " + file, e);
        } catch (IOException e) {
            throw new ConfigException("a config file must be there and be readable: " + file + ": " + reason(e), e);
        }
        Map<String, Entry> entries = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            add(entries, lines.get(i).strip(), i + 1, file, names);
        }
        return new ConfigFile(file, entries);
    }

    private static void add(Map<String, Entry> entries, String text, int line, Path file, Set<String> names)
            throws ConfigException {
        if (text.isEmpty() || text.startsWith("#")) {
            return;
        }
        int sign = text.indexOf('=');
        String name = sign < 0 ? text : text.substring(0, sign).strip();
        // What is wrong is shown without its value, which may be a secret.
        if (sign < 0) {
            throw wrong(file, line, "a line must be 'name = value'");
        }
        if (!names.contains(name)) {
            throw wrong(
                    file,
                    line,
                    "no command has an option that takes a value and is called '" + name
                            + "': names are those of the options, without the dashes");
        }
        String value = text.substring(sign + 1).strip();
        if (value.isEmpty()) {
            throw wrong(file, line, "'" + name + "' must have a value: leave the line out for the default");
        }
        Entry before = entries.putIfAbsent(name, new Entry(value, line));
        if (before != null) {
            throw wrong(file, line, "'" + name + "' must be set once: it is in line " + before.line() + " already");
        }
    }

    private static ConfigException wrong(Path file, int line, String rule) {
        return new ConfigException(file + ", line " + line + ": " + rule, null);
    }

    private static String reason(IOException e) {
        // The message of these is the bare path.
        return e instanceof FileSystemException known && known.getReason() == null
                ? e.getClass().getSimpleName().replace("Exception", "")
                : String.valueOf(e.getMessage());
    }

    /** The value of a name, or null where it isn't set. */
    @Nullable
    String value(String name) {
        Entry entry = entries.get(name);
        return entry == null ? null : entry.value();
    }

    /** Where a name that is set is set: {@code /etc/snowlease.conf, line 3}. */
    String place(String name) {
        Entry entry = entries.get(name);
        return file + (entry == null ? "" : ", line " + entry.line());
    }
}
