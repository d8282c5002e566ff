package io.snowlease.registry.redis;

import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.LeaseStatus;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.WorkerRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Nodes of one namespace, each as a service is one: a registry of its own, by the public API, and a generator on it. */
final class Nodes implements AutoCloseable {
    final String namespace;

    private final String coordinator;
    private UnaryOperator<WorkerRegistryBuilder> options = UnaryOperator.identity();
    private final List<WorkerRegistry> open = new CopyOnWriteArrayList<>();

    /** In a fresh namespace. */
    Nodes(String coordinator) {
        this(coordinator, "n-" + UUID.randomUUID());
    }

    private Nodes(String coordinator, String namespace) {
        this.coordinator = coordinator;
        this.namespace = namespace;
    }

    /** The same, opened with more options. */
    Nodes with(UnaryOperator<WorkerRegistryBuilder> more) {
        options = more;
        return this;
    }

    /** Others of the same namespace, that reach it another way. */
    Nodes at(String otherCoordinator) {
        return new Nodes(otherCoordinator, namespace);
    }

    /** A node that holds a worker id. */
    record Node(WorkerRegistry registry, IdGenerator ids) {
        LeaseStatus lease() {
            return registry.leases().get(0);
        }
    }

    @FunctionalInterface
    interface Task<R> {
        R run(int thread) throws Exception;
    }

    WorkerRegistryBuilder builder(String node) {
        return options.apply(WorkerRegistry.builder()
                .coordinator(coordinator)
                .namespace(namespace)
                .node(node)
                .callTimeout(Duration.ofSeconds(30))
                .startTimeout(Duration.ofMinutes(2)));
    }

    Node start(String node) {
        return start(builder(node));
    }

    Node start(WorkerRegistryBuilder builder) {
        WorkerRegistry registry = builder.connect();
        open.add(registry);
        return new Node(registry, registry.newGenerator());
    }

    /** Usable at once. */
    Nodes init(Duration lease, Duration skew, int lastWorker) {
        try (RegistryAdmin admin = builder("operator").openAdmin()) {
            RegistryRecord unused =
                    admin.init(new RegistrySettings(null, lease, skew, new WorkerRange(0, lastWorker)), true, 0);
        }
        return this;
    }

    RegistryRecord registry() {
        try (RegistryAdmin admin = builder("operator").openAdmin()) {
            return admin.registry().orElseThrow();
        }
    }

    /** Runs {@code task} on {@code count} threads that start together; results by thread. */
    static <R> List<R> together(int count, Task<R> task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(count);
        try {
            CyclicBarrier start = new CyclicBarrier(count);
            List<Future<R>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int thread = i;
                running.add(pool.submit(() -> {
                    start.await(60, TimeUnit.SECONDS);
                    return task.run(thread);
                }));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> result : running) {
                results.add(result.get(240, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    @Override
    public void close() {
        open.forEach(WorkerRegistry::close);
    }
}
