package io.snowlease.registry;

import io.snowlease.registry.protocol.WorkerRange;
import java.time.Duration;
import java.time.Instant;

/** Refusals as a registry makes them; their constructors are the registry's own. */
public final class RegistryRefusals {
    private RegistryRefusals() {}

    public static RegistryException quarantined(Instant until, long waitMillis) {
        return new NotGrantableYetException("registry is in quarantine", until, waitMillis);
    }

    public static RegistryException allHeld() {
        return new NoFreeWorkerException(new WorkerRange(0, 1), 2, Instant.parse("2026-01-02T03:04:05Z"));
    }

    public static RegistryException away() {
        return new CoordinatorUnavailableException("10.0.0.1:2181", Duration.ofSeconds(5), null);
    }

    public static RegistryException mismatch() {
        return new RegistryMismatchException("leaseDuration", "60000 ms", "3000 ms");
    }

    public static RegistryException notFound() {
        return new RegistryNotFoundException("10.0.0.1:2181", "orders");
    }
}
