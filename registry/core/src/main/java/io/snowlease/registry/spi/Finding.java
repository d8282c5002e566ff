package io.snowlease.registry.spi;

import java.util.Objects;

/**
 * One thing an operator should know of a node, its coordinator or its registry.
 *
 * @param level how bad it is
 * @param check what was looked at, one word for people and programs, such as {@code clock}
 * @param found what it is like, with its numbers
 * @param advice what to do about it; empty where there is nothing to do, or {@code found} says it
 */
public record Finding(Level level, String check, String found, String advice) {
    /** How bad it is. */
    public enum Level {
        /** As it should be. */
        OK,
        /** Works, and may not for long, or not after an accident. */
        WARNING,
        /** A node can't work like this, or ids are in danger. */
        FAILURE
    }

    /** Checks that nothing is missing. */
    public Finding {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(found, "found");
        Objects.requireNonNull(advice, "advice");
    }

    /** As it should be. */
    public static Finding ok(String check, String found) {
        return new Finding(Level.OK, check, found, "");
    }

    /** Works, and may not for long. */
    public static Finding warning(String check, String found, String advice) {
        return new Finding(Level.WARNING, check, found, advice);
    }

    /** Does not work. */
    public static Finding failure(String check, String found, String advice) {
        return new Finding(Level.FAILURE, check, found, advice);
    }
}
