package io.snowlease.registry.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.snowlease.registry.spi.StoreCredentials;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connects to the server that is in charge of a namespace's keys at present: the one that is named, the one that the
 * sentinels name, or the one that the cluster's map names. What comes of it is a plain connection to one server, which
 * is never mended behind the back of those who use it: Lettuce would send again, perhaps to another server, what was
 * not answered. Thread-safe.
 */
final class Primaries implements AutoCloseable {
    private final RedisServers servers;
    private final String key;
    private final RedisClient client;
    private final @Nullable RedisClusterClient cluster;
    private final RedisURI uri;

    Primaries(RedisServers servers, String key, Duration callTimeout, @Nullable RedisTls tls) {
        this.servers = servers;
        this.key = key;
        this.uri = uri(servers, servers.hosts().get(0), callTimeout);
        ClientResources resources = SharedResources.acquire();
        client = RedisClient.create(resources);
        client.setOptions(fill(ClientOptions.builder(), callTimeout, tls).build());
        if (servers.topology() == RedisServers.Topology.CLUSTER) {
            cluster = RedisClusterClient.create(
                    resources,
                    servers.hosts().stream()
                            .map(host -> uri(servers, host, callTimeout))
                            .toList());
            ClusterClientOptions.Builder options = ClusterClientOptions.builder();
            fill(options, callTimeout, tls);
            cluster.setOptions(options.build());
        } else {
            cluster = null;
        }
    }

    private static ClientOptions.Builder fill(
            ClientOptions.Builder options, Duration callTimeout, @Nullable RedisTls tls) {
        options.autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .protocolVersion(ProtocolVersion.RESP2)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(
                        SocketOptions.builder().connectTimeout(callTimeout).build());
        if (tls != null) {
            options.sslOptions(tls.options(callTimeout));
        }
        return options;
    }

    private static RedisURI uri(RedisServers servers, RedisServers.Host first, Duration callTimeout) {
        RedisURI.Builder uri;
        if (servers.topology() == RedisServers.Topology.SENTINEL) {
            uri = RedisURI.builder().withSentinelMasterId(servers.master());
            for (RedisServers.Host host : servers.hosts()) {
                RedisURI.Builder named =
                        RedisURI.builder().withHost(host.name()).withPort(host.port());
                StoreCredentials theirs = servers.sentinelCredentials();
                if (theirs != null) {
                    named.withAuthentication(theirs.user(), theirs.password().toCharArray());
                }
                RedisURI sentinel = named.build();
                sentinel.setSsl(servers.isTls());
                sentinel.setVerifyPeer(SslVerifyMode.FULL);
                sentinel.setTimeout(callTimeout);
                uri.withSentinel(nameless(sentinel));
            }
        } else {
            uri = RedisURI.builder().withHost(first.name()).withPort(first.port());
        }
        uri.withSsl(servers.isTls())
                .withVerifyPeer(SslVerifyMode.FULL)
                .withDatabase(servers.database())
                .withTimeout(callTimeout);
        StoreCredentials credentials = servers.credentials();
        if (credentials != null) {
            uri.withAuthentication(credentials.user(), credentials.password().toCharArray());
        }
        return nameless(uri.build());
    }

    /** Without CLIENT SETINFO, which servers before 7.2 don't know, and no ACL of ours allows. */
    private static RedisURI nameless(RedisURI uri) {
        uri.setLibraryName("");
        uri.setLibraryVersion("");
        return uri;
    }

    /** A new connection; ends in an error within the call timeout, more or less. */
    CompletableFuture<StatefulRedisConnection<String, String>> connect() {
        if (cluster == null) {
            return client.connectAsync(StringCodec.UTF8, uri).toCompletableFuture();
        }
        RedisClusterClient map = cluster;
        CompletionStage<Void> refreshed = map.refreshPartitionsAsync();
        return refreshed
                .thenCompose(done -> client.connectAsync(StringCodec.UTF8, owner(map)))
                .toCompletableFuture();
    }

    private RedisURI owner(RedisClusterClient map) {
        int slot = SlotHash.getSlot(key);
        RedisClusterNode owner = map.getPartitions().getPartitionBySlot(slot);
        if (owner == null) {
            throw new StoreUnavailableException(
                    "no server of the " + servers + " has hash slot " + slot + ", that of " + key
                            + ": see redis-cli --cluster check",
                    null);
        }
        return nameless(owner.getUri());
    }

    @Override
    public void close() {
        CompletableFuture<Void> unused = client.shutdownAsync(0, 1, TimeUnit.SECONDS);
        if (cluster != null) {
            unused = cluster.shutdownAsync(0, 1, TimeUnit.SECONDS);
        }
        SharedResources.release();
    }
}
