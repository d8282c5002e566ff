package io.snowlease.it;

import io.snowlease.admin.e2e.IssuedIds;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the coordinator says of the worker ids while a trial runs, read by way of its nodes: epochs only grow (I5), and
 * each bound was there before ids came up to it (I3).
 */
final class SlotWatch implements AutoCloseable {
    private static final long PERIOD_MILLIS = 500;
    private static final Pattern SLOT =
            Pattern.compile("\"worker\":(\\d+),[^}]*\"epoch\":(\\d+),\"until\":\"([^\"]+)\"");

    private record Look(String by, int worker) {}

    private final List<ContainerNode> nodes = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "slot-watch");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<Look, Long> epochs = new HashMap<>();
    private final Map<Integer, Long> bounds = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();

    SlotWatch() {
        Future<?> unused = executor.scheduleWithFixedDelay(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Reads by way of this one too. */
    void at(ContainerNode node) {
        nodes.add(node);
    }

    synchronized void look() {
        for (ContainerNode node : nodes) {
            if (lookBy(node)) {
                return;
            }
        }
    }

    private boolean lookBy(ContainerNode node) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + "/v1/workers"))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            var response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                return false;
            }
            Matcher slot = SLOT.matcher(response.body());
            while (slot.find()) {
                saw(
                        node.name() + " in its run " + node.run(),
                        Integer.parseInt(slot.group(1)),
                        Long.parseLong(slot.group(2)),
                        Instant.parse(slot.group(3)).toEpochMilli());
            }
            return true;
        } catch (java.io.IOException e) {
            return false; // It is down, or its coordinator is.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Of an ensemble, two nodes may see one record in two states, so that each is held against its own looks. */
    private void saw(String by, int worker, long epoch, long until) {
        long before = Objects.requireNonNullElse(epochs.put(new Look(by, worker), epoch), -1L);
        if (epoch < before) {
            wrong.add("I5: worker " + worker + " has epoch " + epoch + " after " + before);
        }
        bounds.merge(worker, until, Math::max);
    }

    /** What is wrong; {@code isDurable} tells whether each bound that ever was can still be seen afterwards. */
    synchronized List<String> findings(IssuedIds ids, boolean isDurable) {
        Map<Integer, Long> lastByWorker = ids.lastByWorker();
        look();
        List<String> all = new ArrayList<>(wrong);
        if (isDurable && !nodes.isEmpty()) {
            lastByWorker.forEach((worker, last) -> {
                long bound = Objects.requireNonNullElse(bounds.get(worker), Long.MIN_VALUE);
                if (last >= bound) {
                    all.add("I3: worker " + worker + " has used " + last + ", and its bound is " + bound);
                }
            });
        }
        return all;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
