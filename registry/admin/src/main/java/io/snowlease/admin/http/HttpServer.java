package io.snowlease.admin.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.snowlease.generator.Clocks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Serves ids over HTTP. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: what fails shows as a closed channel
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 1_024;

    private final EventLoopGroup loops;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Router router;
    private final Channel listening;
    private final InetSocketAddress address;

    private HttpServer(InetSocketAddress asked, Router router, HttpLimits limits, Clocks clocks) throws IOException {
        this.router = router;
        this.loops = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(),
                new DefaultThreadFactory("snowlease-http", true),
                NioIoHandler.newFactory());
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ConnectionInitializer(connections, router, limits, clocks))
                .bind(asked)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new IOException(
                    "can't listen on " + HostAndPort.of(asked) + " ("
                            + bound.cause().getMessage() + "): stop what uses it, or choose another --port",
                    bound.cause());
        }
        this.listening = bound.channel();
        // The address as asked for, as Java shows 0.0.0.0 as an IPv6 address here.
        this.address =
                new InetSocketAddress(asked.getAddress(), ((InetSocketAddress) listening.localAddress()).getPort());
    }

    /**
     * Starts to listen.
     *
     * @throws IOException if the address can't be had; the message says what to do
     */
    public static HttpServer start(
            InetSocketAddress address, IdSource ids, SlotSource slots, HttpLimits limits, Clocks clocks)
            throws IOException {
        return new HttpServer(address, new Router(ids, slots, limits, clocks), limits, clocks);
    }

    /** Where it listens; the port is the real one where 0 was asked for. */
    public InetSocketAddress address() {
        return address;
    }

    /** Such as {@code http://127.0.0.1:7070}. */
    public String url() {
        return "http://" + HostAndPort.of(address());
    }

    /**
     * Stops to listen, and answers the requests under way; those that are not answered within {@code timeout} are cut
     * off. Nothing asks for an id after it returns.
     *
     * @return whether all were answered
     */
    public boolean drain(Duration timeout) {
        listening.close().awaitUninterruptibly();
        for (Channel connection : connections) {
            connection.eventLoop().execute(() -> {
                ConnectionHandler handler = connection.pipeline().get(ConnectionHandler.class);
                if (handler != null) {
                    handler.drain(connection);
                }
            });
        }
        boolean drained = connections.newCloseFuture().awaitUninterruptibly(timeout.toMillis(), TimeUnit.MILLISECONDS);
        close();
        return drained;
    }

    /** Cuts all connections off, and ends. */
    @Override
    public void close() {
        connections.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        router.close();
    }
}
