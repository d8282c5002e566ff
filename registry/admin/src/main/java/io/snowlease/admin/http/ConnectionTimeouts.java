package io.snowlease.admin.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.snowlease.generator.Clocks;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends connections that nobody uses, and requests that never end. Looks at them now and then rather than arming a timer
 * for each request.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: what fails shows as a closed channel
final class ConnectionTimeouts extends ChannelInboundHandlerAdapter {
    private static final long MAX_CHECK_MILLIS = 1_000;

    private final long idleNanos;
    private final long readNanos;
    private final long checkMillis;
    private final Clocks clocks;
    private final ConnectionHandler connection;
    private long lastReadNanos;
    private long requestSinceNanos;
    private boolean requestUnderWay;

    ConnectionTimeouts(HttpLimits limits, Clocks clocks, ConnectionHandler connection) {
        this.idleNanos = limits.idleTimeout().toNanos();
        this.readNanos = limits.readTimeout().toNanos();
        this.checkMillis = Math.max(
                1, Math.min(MAX_CHECK_MILLIS, TimeUnit.NANOSECONDS.toMillis(Math.min(idleNanos, readNanos)) / 4));
        this.clocks = clocks;
        this.connection = connection;
    }

    /** The head of a request has arrived whole. */
    void requestRead() {
        requestUnderWay = false;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        lastReadNanos = clocks.monotonicNanos();
        checkLater(context);
        super.channelActive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, @Nullable Object bytes) throws Exception {
        lastReadNanos = clocks.monotonicNanos();
        if (!requestUnderWay) {
            requestUnderWay = true;
            requestSinceNanos = lastReadNanos;
        }
        super.channelRead(context, bytes);
    }

    private void checkLater(ChannelHandlerContext context) {
        context.executor().schedule(() -> check(context), checkMillis, TimeUnit.MILLISECONDS);
    }

    private void check(ChannelHandlerContext context) {
        if (!context.channel().isActive()) {
            return;
        }
        long now = clocks.monotonicNanos();
        if (requestUnderWay && now - requestSinceNanos >= readNanos) {
            requestUnderWay = false;
            connection.requestTooSlow(context.channel());
        } else if (now - lastReadNanos >= idleNanos && !connection.isAnswering()) {
            context.close();
        }
        checkLater(context);
    }
}
