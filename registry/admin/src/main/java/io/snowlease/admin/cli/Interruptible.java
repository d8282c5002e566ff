package io.snowlease.admin.cli;

/** The part of a thread's work that may be interrupted; giving a lease back, after it, may not. */
final class Interruptible implements AutoCloseable {
    private final Thread worker = Thread.currentThread();
    private boolean over;

    /** Interrupts the thread that made this, unless that part is over. */
    synchronized void interrupt() {
        if (!over) {
            worker.interrupt();
        }
    }

    /** Ends the part, and takes an interrupt back; on the thread that made this. */
    @Override
    public synchronized void close() {
        over = true;
        Thread.interrupted();
    }
}
