package io.snowlease.admin.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM and SIGINT as a request to end in order: holds the JVM's shutdown up until what it was made for is closed, or
 * for 60 s. Close it last.
 *
 * <p>After a signal the JVM exits with 128 + its number, unless the last shutdown hook halts it with another code.
 */
final class StopSignal implements AutoCloseable {
    private static final Duration LONGEST_STOP = Duration.ofSeconds(60);

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean requested;

    /**
     * Waits for a signal from now on.
     *
     * @param onRequest asks what is running to end; must return soon
     * @param endsWith0 whether being stopped is an ordinary end, with exit code 0
     */
    StopSignal(Runnable onRequest, boolean endsWith0) {
        this.hook = new Thread(
                () -> {
                    requested = true;
                    onRequest.run();
                    boolean inOrder = awaitFinished();
                    if (endsWith0) {
                        Runtime.getRuntime().halt(inOrder ? 0 : 1);
                    }
                },
                "snowlease-stop");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private boolean awaitFinished() {
        try {
            if (finished.await(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)) {
                return true;
            }
            System.err.println("snowlease: did not end in order within " + LONGEST_STOP.toSeconds()
                    + " s; a lease that was not given back is free once its bound has passed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    boolean isRequested() {
        return requested;
    }

    /** Everything is closed. */
    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down already: the hook ends by itself.
        }
    }
}
