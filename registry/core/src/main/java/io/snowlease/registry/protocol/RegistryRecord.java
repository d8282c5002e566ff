package io.snowlease.registry.protocol;

import io.snowlease.generator.Layout;
import java.util.Objects;

/**
 * What the coordinator keeps once per namespace. Layout, D, S, L and the range are fixed when it is made (I8).
 *
 * @param registryId random id of this registry: a registry that was lost and made anew has another
 * @param layout canonical text of the {@link Layout}
 * @param leaseMillis D, lease duration in ms
 * @param skewMillis S, largest tolerated clock skew in ms
 * @param lagMillis L, how long a replaced primary may go on accepting writes, in ms
 * @param firstWorker lowest worker id
 * @param lastWorker highest worker id
 * @param createdAt coordinator's time when the registry was made
 * @param serverIdentity which server, and which of its data sets, acknowledged the writes so far
 * @param quarantineUntil no lease starts below this; never falls
 * @param floor operator's floor under every first timestamp
 */
public record RegistryRecord(
        String registryId,
        String layout,
        long leaseMillis,
        long skewMillis,
        long lagMillis,
        int firstWorker,
        int lastWorker,
        long createdAt,
        String serverIdentity,
        long quarantineUntil,
        long floor) {

    /** Checks that nothing is missing. */
    public RegistryRecord {
        Objects.requireNonNull(registryId, "registryId");
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(serverIdentity, "serverIdentity");
    }

    /** The layout, parsed. */
    public Layout parsedLayout() {
        return Layout.parse(layout);
    }

    /** The worker ids this registry hands out. */
    public WorkerRange range() {
        return new WorkerRange(firstWorker, lastWorker);
    }

    RegistryRecord withQuarantine(long newQuarantineUntil, String newServerIdentity) {
        return new RegistryRecord(
                registryId,
                layout,
                leaseMillis,
                skewMillis,
                lagMillis,
                firstWorker,
                lastWorker,
                createdAt,
                newServerIdentity,
                newQuarantineUntil,
                floor);
    }

    /** What a journal calls a registry: its id alone does not tell which namespace it is of. */
    public static String idIn(String namespace, String registryId) {
        return namespace + "/" + registryId;
    }
}
