package io.snowlease.registry.redis;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lettuce's threads, all of them daemons, and what looks names up on them: one set for all stores of the process, for as
 * long as there is a store.
 *
 * <p>The look-ups end with their threads. Lettuce's own are static: whoever asks for a name waits for the answer to the one
 * who asked first, and if that one's threads were ended meanwhile, everybody waits for ever (netty issue 17039).
 */
final class SharedResources {
    private static final int THREADS = 2;
    private static final long LAST_CALLS_MILLIS = 2_000;

    private static @Nullable ClientResources shared;
    private static int users;

    private SharedResources() {}

    static ClientResources acquire() {
        return acquire(DnsServerAddressStreamProviders.platformDefault());
    }

    /** As {@link #acquire()}, with name servers of the caller's choice if there is no set yet. */
    static synchronized ClientResources acquire(DnsServerAddressStreamProvider nameServers) {
        ClientResources found = shared;
        if (found == null) {
            found = DefaultClientResources.builder()
                    .ioThreadPoolSize(THREADS)
                    .computationThreadPoolSize(THREADS)
                    .addressResolverGroup(names(nameServers))
                    .build();
            // Never released one by one: else a client that ends would take along the threads of one that begins.
            EventLoopGroup unused = found.eventLoopGroupProvider().allocate(Transports.eventLoopGroupClass());
            shared = found;
        }
        users++;
        return found;
    }

    private static DnsAddressResolverGroup names(DnsServerAddressStreamProvider nameServers) {
        return new DnsAddressResolverGroup(new DnsNameResolverBuilder()
                .datagramChannelType(Transports.datagramChannelClass())
                .socketChannelType(Transports.socketChannelClass().asSubclass(SocketChannel.class))
                .nameServerProvider(nameServers));
    }

    /** Does not wait for the threads to end. */
    static synchronized void release() {
        users--;
        ClientResources found = shared;
        if (users == 0 && found != null) {
            shared = null;
            Future<Boolean> unused = found.shutdown(0, LAST_CALLS_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
