package io.snowlease.generator.journal;

import java.nio.file.Path;

/** Opens a journal, says so, and holds it until its input ends; or says who holds it already. */
final class LockingChild {
    private LockingChild() {}

    public static void main(String[] arguments) throws Exception {
        try (Journal journal = Journal.open(Path.of(arguments[0]))) {
            System.out.println("open " + journal.state());
            while (System.in.read() >= 0) {
                // Until the parent closes it.
            }
        } catch (JournalLockedException e) {
            System.out.println("held by " + e.holderPid());
        }
    }
}
