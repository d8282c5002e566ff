package io.snowlease.registry.redis;

import io.snowlease.registry.spi.StoreOptions;
import java.net.URI;
import java.time.Duration;

/** Opens stores for tests. */
final class Stores {
    /** Long enough for a machine that is busy. */
    static final StoreOptions PATIENT = options(Duration.ofSeconds(30));

    private Stores() {}

    static StoreOptions options(Duration callTimeout) {
        return new StoreOptions(callTimeout, null, 0, false);
    }

    static RedisStore open(String uri, String namespace) {
        return open(uri, namespace, PATIENT);
    }

    static RedisStore open(String uri, String namespace, StoreOptions options) {
        return RedisStoreProvider.open(URI.create(uri), namespace, options, script -> {});
    }
}
