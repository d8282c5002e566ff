package io.snowlease.admin.cli;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** Where a person can be asked. */
public interface Terminal {
    /** None: nobody can be asked. */
    Terminal NONE = new Terminal() {
        @Override
        public boolean isThere() {
            return false;
        }

        @Override
        public @Nullable String readLine() {
            return null;
        }
    };

    /** Whether there is one. */
    boolean isThere();

    /** What is typed, without the line end; null at the end of input. */
    @Nullable
    String readLine();

    /** The process's own, if both its input and its output are one. */
    @SuppressWarnings("SystemConsoleNull") // isTerminal sees to the JDKs where it is never null
    static Terminal ofProcess() {
        Console console = System.console();
        return console == null || !isTerminal(console)
                ? NONE
                : new Terminal() {
                    @Override
                    public boolean isThere() {
                        return true;
                    }

                    @Override
                    public @Nullable String readLine() {
                        return console.readLine();
                    }
                };
    }

    /** From JDK 22 on, a process has a console without a terminal too, which then says so. */
    private static boolean isTerminal(Console console) {
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
