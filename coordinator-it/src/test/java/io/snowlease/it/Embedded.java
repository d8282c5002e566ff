package io.snowlease.it;

import static org.awaitility.Awaitility.await;

import io.snowlease.admin.e2e.IssuedIds;
import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.WorkerRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A generator in this JVM, beside the nodes in containers, that is asked for ids at a steady rate until it is closed. */
final class Embedded implements AutoCloseable {
    private static final String NAME = "embedded";
    private static final int AT_ONCE = 20;
    private static final long PAUSE_MILLIS = 20;

    private final WorkerRegistry registry;
    private final IdGenerator ids;
    private final IssuedIds.Client client;
    private final AtomicLong issued = new AtomicLong();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::ask, NAME);

    /** Has a worker id when it returns. */
    Embedded(String coordinator, String namespace, Duration lease, IssuedIds issuedIds) {
        this.client = issuedIds.client(NAME, 1);
        this.registry = WorkerRegistry.builder()
                .coordinator(coordinator)
                .namespace(namespace)
                .node(NAME)
                .leaseDuration(lease)
                .maxSkew(Trial.SKEW)
                .startTimeout(Program.PATIENCE)
                .connect();
        try {
            this.ids = registry.newGenerator();
        } catch (RuntimeException e) {
            registry.close();
            throw e;
        }
        thread.setDaemon(true);
        thread.start();
    }

    private void ask() {
        try {
            do {
                try {
                    for (int i = 0; i < AT_ONCE; i++) {
                        client.issued(ids.nextId());
                        issued.incrementAndGet();
                    }
                } catch (IdGenerationException e) {
                    client.refused();
                }
            } while (!closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until this many more have come. */
    void awaitIds(long more) {
        long target = issued.get() + more;
        await("ids of the generator in this JVM").atMost(Program.PATIENCE).until(() -> issued.get() >= target);
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            registry.close();
        }
    }
}
