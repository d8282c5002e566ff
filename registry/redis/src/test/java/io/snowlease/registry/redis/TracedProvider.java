package io.snowlease.registry.redis;

import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreProvider;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** {@code traced://host:port}: as {@code redis:}, and a test can see what is sent. */
public final class TracedProvider implements StoreProvider {
    private static final Map<String, List<String>> ROUND_TRIPS = new ConcurrentHashMap<>();

    /** What was sent for a namespace so far. */
    static List<String> roundTrips(String namespace) {
        return ROUND_TRIPS.computeIfAbsent(namespace, name -> new CopyOnWriteArrayList<>());
    }

    @Override
    public Set<String> schemes() {
        return Set.of("traced");
    }

    @Override
    public LeaseStore open(URI uri, String namespace, StoreOptions options) {
        URI real = URI.create(uri.toString().replaceFirst("^traced:", "redis:"));
        return RedisStoreProvider.open(real, namespace, options, roundTrips(namespace)::add);
    }
}
