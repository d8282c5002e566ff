package io.snowlease.registry.redis;

import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreProvider;
import io.snowlease.registry.spi.StoreTls;
import java.net.URI;
import java.util.Set;
import java.util.function.Consumer;

/**
 * {@code redis://host:6379/0}; {@code redis-sentinel://h1:26379,h2:26379#master}; {@code
 * redis-cluster://h1:6379,h2:6379}; the same by TLS as {@code rediss://}, {@code rediss-sentinel://} and {@code
 * rediss-cluster://}. User and password come from the options, or are in the URI: {@code redis://user:password@host}.
 *
 * <p>{@code ?replicas=N} says how many replicas must acknowledge a lease (default: all that were seen, 0 for none), and
 * {@code lag=30s} what L a registry is made with (default: 30 s where there are replicas, else 0).
 */
public final class RedisStoreProvider implements StoreProvider {
    /** For the service loader. */
    public RedisStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return RedisServers.schemes();
    }

    @Override
    public LeaseStore open(URI uri, String namespace, StoreOptions options) {
        return open(uri, namespace, options, script -> {});
    }

    /** As {@link #open(URI, String, StoreOptions)}; {@code trace} is told each round trip. */
    static RedisStore open(URI uri, String namespace, StoreOptions options, Consumer<String> trace) {
        if (namespace.isEmpty()) {
            throw new IllegalArgumentException("must not be empty: namespace=");
        }
        RedisServers servers =
                RedisServers.parse(uri).with(options.credentials()).withSentinels(options.sentinelCredentials());
        if (!servers.isTls() && options.tls() != null) {
            throw new IllegalArgumentException(
                    "must be rediss:// where there is a trust store or a key store: Redis at " + servers + ", "
                            + options.tls());
        }
        RedisTls tls = servers.isTls() ? RedisTls.of(options.tls() == null ? StoreTls.DEFAULTS : options.tls()) : null;
        RedisKeys keys = RedisKeys.of(namespace);
        RedisConnection connection = new RedisConnection(
                new Primaries(servers, keys.hash(), options.callTimeout(), tls),
                new Refusals(servers, tls),
                servers,
                options.callTimeout(),
                trace);
        return new RedisStore(connection, servers, keys);
    }
}
