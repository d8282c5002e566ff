package io.snowlease.registry.zookeeper;

import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreProvider;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** {@code traced://host:port}: as {@code zookeeper:}, and a test can see what is sent, and get at the store. */
public final class TracedProvider implements StoreProvider {
    private static final Map<String, List<String>> OPERATIONS = new ConcurrentHashMap<>();
    private static final Map<String, ZooKeeperStore> LATEST = new ConcurrentHashMap<>();

    /** What was sent for a namespace so far. */
    static List<String> operations(String namespace) {
        return OPERATIONS.computeIfAbsent(namespace, name -> new CopyOnWriteArrayList<>());
    }

    /** The store that was opened last on a namespace. */
    static ZooKeeperStore latest(String namespace) {
        return Objects.requireNonNull(LATEST.get(namespace), namespace);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("traced");
    }

    @Override
    public LeaseStore open(URI uri, String namespace, StoreOptions options) {
        URI real = URI.create(uri.toString().replaceFirst("^traced:", "zookeeper:"));
        ZooKeeperStore store = ZooKeeperStoreProvider.open(real, namespace, options, operations(namespace)::add);
        LATEST.put(namespace, store);
        return store;
    }
}
