package io.snowlease.registry.zookeeper;

import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.WorkerRegistry;
import java.security.Permission;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * A process of its own that leases a worker id, issues ids and gives it back, and prints who looked up which host name
 * or address on the way: one line each, {@code name: class.method <- caller ...}.
 */
final class LookUpProcess {
    private static final int NAME_LOOK_UP = -1;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private LookUpProcess() {}

    /** Coordinator. */
    public static void main(String[] args) {
        Recorder recorder = new Recorder();
        record(recorder);
        try (WorkerRegistry registry = WorkerRegistry.builder()
                        .coordinator(args[0])
                        .leaseDuration(Duration.ofSeconds(5))
                        .maxSkew(Duration.ofSeconds(1))
                        .callTimeout(Duration.ofSeconds(30))
                        .startTimeout(Duration.ofMinutes(2))
                        .connect();
                IdGenerator ids = registry.newGenerator()) {
            useUntilRenewed(registry, ids);
        }
        recorder.lookUps.forEach(System.out::println);
        System.out.println("done");
    }

    /** An id that is refused, as where a renewal is late, shows nothing about names. */
    private static void useUntilRenewed(WorkerRegistry registry, IdGenerator ids) {
        long start = System.nanoTime();
        while (registry.stats().renewals() < 3) {
            try {
                ids.nextId();
            } catch (IdGenerationException refused) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw refused;
                }
            }
        }
    }

    /** The only way in Java 17 to see every look-up, those of libraries too. */
    @SuppressWarnings("removal")
    private static void record(SecurityManager recorder) {
        System.setSecurityManager(recorder);
    }

    @SuppressWarnings("removal")
    private static final class Recorder extends SecurityManager {
        final List<String> lookUps = new CopyOnWriteArrayList<>();

        @Override
        public void checkConnect(String host, int port) {
            if (port == NAME_LOOK_UP) {
                List<String> callers = Stream.of(new Throwable().getStackTrace())
                        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                        .filter(frame -> !frame.startsWith("java.") && !frame.startsWith(Recorder.class.getName()))
                        .toList();
                // A check of an address that is known, not a look-up.
                if (callers.get(0).equals("sun.nio.ch.Net.getRevealedLocalAddress")) {
                    return;
                }
                lookUps.add(host + ": " + String.join(" <- ", callers));
            }
        }

        @Override
        public void checkPermission(Permission permission) {}

        @Override
        public void checkPermission(Permission permission, Object context) {}
    }
}
