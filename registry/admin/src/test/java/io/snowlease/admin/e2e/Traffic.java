package io.snowlease.admin.e2e;

import static org.awaitility.Awaitility.await;

import io.snowlease.admin.e2e.IdConnection.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that ask a node for ids at a steady rate, whatever happens to it. */
public final class Traffic implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final IdServer node;
    private final int count;
    private final long pauseMillis;
    private final AtomicLong issued = new AtomicLong();
    private final AtomicLong lastIssuedNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong longestRefusalNanos = new AtomicLong();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    /** Starts them, each with 5 ms between its requests. */
    public Traffic(IdServer node, int clients, int count) {
        this(node, clients, count, PAUSE);
    }

    /** Starts them, each with a pause between its requests, in whole ms. */
    public Traffic(IdServer node, int clients, int count, Duration pause) {
        this.node = node;
        this.count = count;
        this.pauseMillis = pause.toMillis();
        for (int i = 0; i < clients; i++) {
            Thread thread = new Thread(this::ask, "traffic-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /** Has clients ask a node that serves, and kills it in the midst of that; the greatest id issued. */
    static long issueAndKill(Node node) {
        try (Traffic traffic = new Traffic(node, 2, 100)) {
            traffic.awaitIds(5_000);
            node.kill();
        }
        return node.ids().greatest();
    }

    /** Waits until this many more have come. */
    public void awaitIds(long more) {
        long target = issued.get() + more;
        await().atMost(Running.PATIENCE).pollInterval(5, TimeUnit.MILLISECONDS).until(() -> issued.get() >= target);
    }

    /** Longest time without an id at whose end it was still refused, since this was asked last. */
    public Duration takeLongestRefusal() {
        return Duration.ofNanos(longestRefusalNanos.getAndSet(0));
    }

    /** Ids so far. */
    public long issued() {
        return issued.get();
    }

    private void ask() {
        try {
            do {
                askOneProcess();
            } while (!closing.await(pauseMillis, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void askOneProcess() throws InterruptedException {
        int run = node.run();
        IssuedIds.Client client = node.client(run);
        try (IdConnection connection = new IdConnection(node.port(), id -> {
            client.issued(id);
            issued.incrementAndGet();
            lastIssuedNanos.set(System.nanoTime());
        })) {
            if (node.run() != run) {
                return; // It may be the next process that has answered.
            }
            do {
                Answer answer = connection.ask(count);
                if (answer.status() != 200) {
                    client.refused();
                    long since = System.nanoTime() - lastIssuedNanos.get();
                    longestRefusalNanos.accumulateAndGet(since, Math::max);
                }
            } while (!closing.await(pauseMillis, TimeUnit.MILLISECONDS));
        } catch (IOException e) {
            // It is down: asked again after the pause.
            return;
        }
    }

    @Override
    public void close() {
        closing.countDown();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
