package io.snowlease.registry.memory;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreProvider;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code memory:} and {@code memory:name}: one heap per name and namespace, shared by all registries of this JVM, and
 * kept until it ends.
 */
public final class MemoryStoreProvider implements StoreProvider {
    private static final ConcurrentHashMap<Key, MemoryStore.Heap> HEAPS = new ConcurrentHashMap<>();

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public LeaseStore open(URI uri, String namespace, StoreOptions options) {
        // java.net.URI wants something after the colon: a lone slash stands for nothing.
        String name = uri.getSchemeSpecificPart().equals("/") ? "" : uri.getSchemeSpecificPart();
        if (name.startsWith("/") || uri.getFragment() != null) {
            throw new IllegalArgumentException("must be memory: or memory:name: uri=" + uri);
        }
        return new MemoryStore(
                HEAPS.computeIfAbsent(new Key(name, namespace), key -> new MemoryStore.Heap(Clocks.system())));
    }

    private record Key(String name, String namespace) {}
}
