package io.snowlease.registry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** This host's name, without asking a name server: look-ups were seen to take 20 to 40 s (mybatis-plus #6683). */
final class NodeNames {
    private static final int MAX_LENGTH = 255;
    private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");

    private NodeNames() {}

    static String ofThisHost() {
        for (String variable : new String[] {"HOSTNAME", "COMPUTERNAME"}) {
            String name = System.getenv(variable);
            if (name != null && !name.isBlank()) {
                return check(name.trim());
            }
        }
        try {
            String name = Files.readString(KERNEL_NAME, StandardCharsets.UTF_8).trim();
            if (!name.isEmpty()) {
                return check(name);
            }
        } catch (IOException e) {
            // Not a Linux host: the name is a hint only, a fixed one is harmless.
        }
        return "localhost";
    }

    static String check(String name) {
        if (name.isBlank() || name.length() > MAX_LENGTH || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("must be 1 to " + MAX_LENGTH
                    + " characters, none of them a control character: node=" + name.replaceAll("\\p{Cntrl}", "?"));
        }
        return name;
    }
}
