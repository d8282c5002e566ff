package io.snowlease.admin.http;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;

/** One request, until it is answered. The first answer counts. */
final class Exchange {
    private final ConnectionHandler connection;
    private final Channel channel;
    private final RequestTarget target;
    private final ReplyForm form;

    Exchange(ConnectionHandler connection, Channel channel, RequestTarget target, ReplyForm form) {
        this.connection = connection;
        this.channel = channel;
        this.target = target;
        this.form = form;
    }

    RequestTarget target() {
        return target;
    }

    ReplyForm form() {
        return form;
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
            return;
        }
        try {
            loop().execute(() -> connection.reply(this, reply));
        } catch (RejectedExecutionException e) {
            // The server was closed, and the connection with it: there is nobody to answer.
        }
    }
}
