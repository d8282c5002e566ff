package io.snowlease.registry.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many replicas must have a lease before it counts. Going by those that are connected just then would not do: a
 * primary that was frozen, and replaced, has none when it wakes up, and would count its own leases by itself. So it is
 * the most that this process has seen, at least one where the registry was made with replicas; or what is stated.
 * Thread-safe.
 */
final class Replicas {
    private static final Duration DEFAULT_LAG = Duration.ofSeconds(30);

    private final RedisServers servers;
    private final AtomicInteger mostSeen;

    Replicas(RedisServers servers) {
        this.servers = servers;
        this.mostSeen = new AtomicInteger(servers.topology() == RedisServers.Topology.SENTINEL ? 1 : 0);
    }

    /** The primary has told how many follow it. */
    void seen(int connected) {
        mostSeen.accumulateAndGet(connected, Math::max);
    }

    /** How many must acknowledge; {@code registryLagMillis} is L of the registry. */
    int needed(long registryLagMillis) {
        return servers.replicas() == RedisServers.ALL_SEEN
                ? Math.max(mostSeen.get(), registryLagMillis > 0 ? 1 : 0)
                : servers.replicas();
    }

    /** L of a registry that is made now, in ms. */
    long lagMillis() {
        Duration stated = servers.lag();
        if (stated != null) {
            return stated.toMillis();
        }
        return mostSeen.get() > 0 || needed(0) > 0 ? DEFAULT_LAG.toMillis() : 0;
    }
}
