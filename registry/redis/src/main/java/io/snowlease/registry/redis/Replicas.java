package io.snowlease.registry.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many replicas must have a lease before it counts. Going by those that are connected just then would not do: a
 * primary that was frozen, and replaced, has none when it wakes up, and would count its own leases by itself. So it is
 * the most that this process has seen at that server, and at least one where the registry was made with replicas; or
 * what is stated. A server that has taken over starts anew: the ones it has lost can't take over from it unnoticed.
 * Thread-safe.
 */
final class Replicas {
    private static final Duration DEFAULT_LAG = Duration.ofSeconds(30);

    private final RedisServers servers;
    private final Map<String, Integer> mostSeen = new ConcurrentHashMap<>();

    Replicas(RedisServers servers) {
        this.servers = servers;
    }

    /** A primary has told how many follow it. */
    void seen(String serverIdentity, int connected) {
        mostSeen.merge(serverIdentity, connected, Math::max);
    }

    /** How many must acknowledge; {@code registryLagMillis} is L of the registry. */
    int needed(String serverIdentity, long registryLagMillis) {
        return servers.replicas() == RedisServers.ALL_SEEN
                ? Math.max(mostSeen.getOrDefault(serverIdentity, 0), registryLagMillis > 0 ? 1 : 0)
                : servers.replicas();
    }

    /** L of a registry that is made now, in ms. */
    long lagMillis() {
        Duration stated = servers.lag();
        if (stated != null) {
            return stated.toMillis();
        }
        boolean hasReplicas = servers.topology() == RedisServers.Topology.SENTINEL
                || servers.replicas() > 0
                || mostSeen.values().stream().anyMatch(count -> count > 0);
        return hasReplicas ? DEFAULT_LAG.toMillis() : 0;
    }
}
