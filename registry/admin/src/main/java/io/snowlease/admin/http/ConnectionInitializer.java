package io.snowlease.admin.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.snowlease.generator.Clocks;

/** Sets up accepted connections, as long as there are not too many. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: what fails shows as a closed channel
final class ConnectionInitializer extends ChannelInitializer<SocketChannel> {
    /** Method, version and spaces of a request line; the target alone is limited to {@code maxUriBytes}. */
    private static final int LINE_OVERHEAD_BYTES = 64;

    private final ChannelGroup connections;
    private final Router router;
    private final HttpLimits limits;
    private final Clocks clocks;

    ConnectionInitializer(ChannelGroup connections, Router router, HttpLimits limits, Clocks clocks) {
        this.connections = connections;
        this.router = router;
        this.limits = limits;
        this.clocks = clocks;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        // Not HttpServerCodec: it gives up on more than 128 pipelined requests.
        HttpRequestDecoder decoder = new HttpRequestDecoder(new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.maxUriBytes() + LINE_OVERHEAD_BYTES)
                .setMaxHeaderSize(limits.maxHeaderBytes()));
        if (connections.size() >= limits.maxConnections()) {
            channel.pipeline().addLast(new HttpResponseEncoder());
            refuse(channel);
            return;
        }
        connections.add(channel);
        ConnectionHandler handler = new ConnectionHandler(router, limits, clocks);
        channel.pipeline().addLast(handler.timeouts(), decoder, new HttpResponseEncoder(), handler);
    }

    private void refuse(Channel channel) {
        Reply reply = Reply.unavailable(
                "at most " + limits.maxConnections() + " connections are served at once: close some, or reuse them",
                -1);
        ReplyWriter.write(channel, reply, ReplyForm.LAST, false).addListener(ChannelFutureListener.CLOSE);
        channel.flush();
    }
}
