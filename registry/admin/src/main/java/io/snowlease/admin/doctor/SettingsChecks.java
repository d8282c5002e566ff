package io.snowlease.admin.doctor;

import io.snowlease.admin.view.Instants;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether this node's settings are the registry's, and whether those make sense. */
final class SettingsChecks {
    private static final String SETTINGS = "settings";
    private static final String LEASE_DURATION = "lease-duration";
    private static final int CALLS_PER_LEASE = 3;

    private SettingsChecks() {}

    static List<Finding> of(@Nullable RegistryRecord registry, RegistrySettings stated, Duration callTimeout) {
        List<Finding> findings = new ArrayList<>();
        if (registry != null) {
            findings.add(agreement(registry, stated));
        }
        long leaseMillis = registry == null
                ? millis(stated.leaseDuration(), RegistrySettings.DEFAULT_LEASE_DURATION)
                : registry.leaseMillis();
        long skewMillis =
                registry == null ? millis(stated.maxSkew(), RegistrySettings.DEFAULT_MAX_SKEW) : registry.skewMillis();
        String where = registry == null ? " when the registry is made" : " in another namespace: here it is fixed";
        findings.add(leaseDuration(leaseMillis, skewMillis, callTimeout.toMillis(), where));
        return findings;
    }

    private static Finding agreement(RegistryRecord registry, RegistrySettings stated) {
        List<String> wrong = new ArrayList<>();
        List<String> right = new ArrayList<>();
        sort("--layout", stated.layout(), registry.layout(), wrong, right);
        sort("--lease-duration", stated.leaseDuration(), Duration.ofMillis(registry.leaseMillis()), wrong, right);
        sort("--max-skew", stated.maxSkew(), Duration.ofMillis(registry.skewMillis()), wrong, right);
        sort("--workers", stated.workers(), registry.range(), wrong, right);
        if (!wrong.isEmpty()) {
            return Finding.failure(
                    SETTINGS,
                    "must be the registry's: " + String.join("; ", wrong),
                    "leave them out to adopt the registry's, or use another namespace");
        }
        return Finding.ok(
                SETTINGS,
                right.isEmpty()
                        ? "none is stated, the registry's are adopted"
                        : "those stated are the registry's: " + String.join(", ", right));
    }

    private static void sort(
            String option, @Nullable Object stated, Object stored, List<String> wrong, List<String> right) {
        if (stated == null) {
            return;
        }
        if (stated.toString().equals(stored.toString())) {
            right.add(option);
        } else {
            wrong.add(option + "=" + stated + ", the registry has " + stored);
        }
    }

    private static Finding leaseDuration(long leaseMillis, long skewMillis, long callMillis, String where) {
        String d = "D (" + Instants.span(leaseMillis) + ")";
        if (leaseMillis <= skewMillis) {
            return Finding.warning(
                    LEASE_DURATION,
                    d + " is no longer than S (" + Instants.span(skewMillis) + "): the leases of a node whose clock is"
                            + " behind may have ended when they are granted",
                    "state a longer --lease-duration or a shorter --max-skew" + where);
        }
        if (leaseMillis < CALLS_PER_LEASE * callMillis) {
            return Finding.warning(
                    LEASE_DURATION,
                    d + " is shorter than three calls to the coordinator may take (" + Instants.span(callMillis)
                            + " each): one slow answer can stop the ids",
                    "state a longer --lease-duration" + where);
        }
        return Finding.ok(LEASE_DURATION, d + " is longer than S (" + Instants.span(skewMillis) + ") and three calls");
    }

    private static long millis(@Nullable Duration stated, Duration otherwise) {
        return (stated == null ? otherwise : stated).toMillis();
    }
}
