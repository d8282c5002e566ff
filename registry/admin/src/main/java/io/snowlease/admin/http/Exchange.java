package io.snowlease.admin.http;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpVersion;

/** One request, until it is answered. The first answer counts. */
final class Exchange {
    private final ConnectionHandler connection;
    private final Channel channel;
    private final RequestTarget target;
    private final HttpVersion version;
    private final boolean keepAlive;

    Exchange(
            ConnectionHandler connection,
            Channel channel,
            RequestTarget target,
            HttpVersion version,
            boolean keepAlive) {
        this.connection = connection;
        this.channel = channel;
        this.target = target;
        this.version = version;
        this.keepAlive = keepAlive;
    }

    RequestTarget target() {
        return target;
    }

    HttpVersion version() {
        return version;
    }

    /** Whether the client wants to go on with this connection. */
    boolean keepAlive() {
        return keepAlive;
    }

    Channel channel() {
        return channel;
    }

    /** The loop that everything of this connection runs on. */
    EventLoop loop() {
        return channel.eventLoop();
    }

    /** Answers; from any thread. */
    void reply(Reply reply) {
        if (loop().inEventLoop()) {
            connection.reply(this, reply);
        } else {
            loop().execute(() -> connection.reply(this, reply));
        }
    }
}
