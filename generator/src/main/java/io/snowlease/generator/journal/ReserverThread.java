package io.snowlease.generator.journal;

import io.snowlease.generator.Clocks;
import java.util.concurrent.locks.LockSupport;

/** The journal's daemon thread: looks at a generator that issues, and sleeps while none does. */
final class ReserverThread extends Thread {
    private final Journal journal;
    private final Clocks clocks;

    ReserverThread(Journal journal, Clocks clocks) {
        super("snowlease-journal");
        this.journal = journal;
        this.clocks = clocks;
        setDaemon(true);
    }

    @Override
    public void run() {
        while (journal.state() != JournalState.CLOSED) {
            long nanos = look();
            // A wake-up may have been used up by a wait inside look: what it was for is still there to see.
            if (!journal.isWanted()) {
                if (nanos == Journal.IDLE) {
                    LockSupport.park(journal);
                } else {
                    clocks.parkNanos(nanos);
                }
            }
            // Whoever interrupts this thread wants nothing that it could do; with the flag set it would never park.
            Thread.interrupted();
        }
    }

    /** A thread that died would leave calls waiting for what never comes: they are told instead. */
    private long look() {
        try {
            return journal.look();
        } catch (RuntimeException | Error e) {
            journal.failed("looking after the bound", e);
            return Journal.IDLE;
        }
    }

    /** Looks again at once. */
    void wake() {
        LockSupport.unpark(this);
    }

    /** Waits for the end of a thread whose journal is closed. */
    void end() {
        boolean interrupted = false;
        while (isAlive()) {
            wake();
            try {
                join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
