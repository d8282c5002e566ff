package io.snowlease.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs one task on many threads that start together. */
final class Threads {
    private Threads() {}

    /** What each thread does, by its number. */
    interface Task {
        void run(int thread) throws Exception;
    }

    /** Runs it on so many threads, and throws what the first of them threw. */
    static void runAll(int threads, Task task) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                running.add(executor.submit(() -> {
                    start.await();
                    task.run(thread);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
