package io.snowlease.admin.doctor;

import io.snowlease.admin.view.Instants;
import io.snowlease.registry.Examination;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Whether there is a registry, and from when it grants leases. */
final class RegistryChecks {
    private static final String REGISTRY = "registry";
    private static final String QUARANTINE = "quarantine";

    private RegistryChecks() {}

    static List<Finding> of(Examination seen, String namespace, RegistrySettings stated) {
        RegistryRecord registry = seen.registry();
        if (registry == null) {
            return List.of(missing(seen, namespace, stated));
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.ok(
                REGISTRY,
                registry.registryId() + " of namespace '" + namespace + "', made "
                        + Instants.iso(registry.createdAt()) + ": layout " + registry.layout() + ", D "
                        + Instants.span(registry.leaseMillis()) + ", S " + Instants.span(registry.skewMillis())
                        + ", workers " + registry.range()));
        if (seen.otherServer()) {
            findings.add(Finding.warning(
                    QUARANTINE,
                    "another server answers than the one that the registry's writes were acknowledged by: the next node"
                            + " that connects sets a quarantine of "
                            + quarantine(registry.leaseMillis(), registry.skewMillis(), registry.lagMillis()),
                    "if that was no failover, find out whether data were lost"));
        }
        Examination.Clock clock = seen.clock();
        long grantable = Math.max(registry.quarantineUntil(), registry.floor()) - registry.skewMillis();
        if (clock != null && grantable > clock.coordinatorMillis()) {
            findings.add(Finding.warning(
                    QUARANTINE,
                    (registry.quarantineUntil() >= registry.floor()
                                    ? "it runs: no new lease starts before "
                                    : "the floor of 'init --above' is ahead: no new lease starts before ")
                            + Instants.iso(grantable) + " (" + Instants.relative(grantable, clock.coordinatorMillis())
                            + "); present holders go on",
                    "wait; it can't be shortened"));
        } else if (!seen.otherServer()) {
            findings.add(Finding.ok(QUARANTINE, "none runs: leases are granted"));
        }
        return findings;
    }

    private static Finding missing(Examination seen, String namespace, RegistrySettings stated) {
        String none = "none of namespace '" + namespace + "': the first node makes it, ";
        if (seen.neverUsed()) {
            return Finding.ok(REGISTRY, none + "usable at once, as nothing was ever stored here");
        }
        Duration lease =
                stated.leaseDuration() == null ? RegistrySettings.DEFAULT_LEASE_DURATION : stated.leaseDuration();
        Duration skew = stated.maxSkew() == null ? RegistrySettings.DEFAULT_MAX_SKEW : stated.maxSkew();
        return Finding.warning(
                REGISTRY,
                none + "usable after a quarantine of " + quarantine(lease.toMillis(), skew.toMillis(), 0),
                "say 'init --never-used' if no id was ever issued there; if there should be one, check --coordinator and"
                        + " --namespace, and whether the coordinator has lost its data");
    }

    private static String quarantine(long leaseMillis, long skewMillis, long lagMillis) {
        return Instants.span(leaseMillis + 2 * skewMillis + lagMillis);
    }
}
