package io.snowlease.registry.zookeeper;

import static org.awaitility.Awaitility.await;

import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.IdGenerator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A service that needs an id every few ms, whatever happens: what it got, and what it was refused. */
final class IdStream implements AutoCloseable {
    private static final long PAUSE_MILLIS = 2;

    private final IdGenerator generator;
    private final Thread thread = new Thread(this::run, "id-stream");
    private final List<Long> ids = new CopyOnWriteArrayList<>();
    private final List<IdGenerationException> refusals = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    IdStream(IdGenerator generator) {
        this.generator = generator;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            do {
                try {
                    ids.add(generator.nextId());
                } catch (IdGenerationException e) {
                    refusals.add(e);
                }
            } while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All so far, in the order issued. */
    List<Long> ids() {
        return List.copyOf(ids);
    }

    /** Waits for one that is refused from now on; the first of them. */
    IdGenerationException awaitRefusal() {
        int before = refusals.size();
        await().until(() -> refusals.size() > before);
        return refusals.get(before);
    }

    /** Waits for an id that is issued from now on. */
    long awaitId() {
        int before = ids.size();
        await().until(() -> ids.size() > before);
        return ids.get(before);
    }

    List<IdGenerationException> refusals() {
        return List.copyOf(refusals);
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
