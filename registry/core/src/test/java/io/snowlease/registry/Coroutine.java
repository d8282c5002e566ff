package io.snowlease.registry;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Blocking code under a simulated clock: a thread that runs only while its owner waits for it, so that a history of many
 * of them is one deterministic sequence.
 */
final class Coroutine {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(body -> {
        Thread thread = new Thread(body, "simulated");
        thread.setDaemon(true);
        return thread;
    });

    private final Semaphore mayRun = new Semaphore(0);
    private final Semaphore hasPaused = new Semaphore(0);
    private boolean started;
    private final Runnable body;
    private volatile boolean done;
    private volatile boolean killed;
    private volatile @Nullable Throwable failure;

    /** Thrown inside to unwind a crashed process. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("crashed", null, false, false);
        }
    }

    Coroutine(Runnable body) {
        this.body = body;
    }

    private void run() {
        mayRun.acquireUninterruptibly();
        try {
            if (!killed) {
                body.run();
            }
        } catch (Killed crashed) {
            // As meant.
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            done = true;
            hasPaused.release();
        }
    }

    /** Runs it until it suspends or ends. */
    void resume() {
        if (done) {
            return;
        }
        if (!started) {
            started = true;
            THREADS.execute(this::run);
        }
        mayRun.release();
        hasPaused.acquireUninterruptibly();
        Throwable failed = failure;
        if (failed != null) {
            failure = null;
            throw new AssertionError("simulated process failed", failed);
        }
    }

    /** Called inside: gives the turn back. */
    void suspend() {
        hasPaused.release();
        mayRun.acquireUninterruptibly();
        if (killed) {
            throw new Killed();
        }
    }

    boolean isDone() {
        return done;
    }

    void kill() {
        killed = true;
        if (started) {
            resume();
        } else {
            done = true;
        }
    }
}
