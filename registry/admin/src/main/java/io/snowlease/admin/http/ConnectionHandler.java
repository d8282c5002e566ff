package io.snowlease.admin.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import io.snowlease.generator.Clocks;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: answers its requests one after the other, in the order they came. While an answer is awaited, or the
 * client does not read its answers, nothing more is read from it. All on the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: what fails shows as a closed channel
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);
    private static final RequestTarget NO_TARGET = new RequestTarget("", "");

    /** How long a refused client may go on sending, so that it gets to read the refusal. */
    private static final long LINGER_MILLIS = 1_000;

    private final Router router;
    private final RequestChecks checks;
    private final ConnectionTimeouts timeouts;
    private final Queue<HttpRequest> pipelined = new ArrayDeque<>();
    private @Nullable Exchange current;
    private boolean answering;
    private boolean reading;
    private boolean ending;
    private boolean draining;

    ConnectionHandler(Router router, HttpLimits limits, Clocks clocks) {
        this.router = router;
        this.checks = new RequestChecks(limits);
        this.timeouts = new ConnectionTimeouts(limits, clocks, this);
    }

    /** Goes before the codec: sees bytes. */
    ConnectionTimeouts timeouts() {
        return timeouts;
    }

    /** Whether an answer is awaited. */
    boolean isAnswering() {
        return current != null;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, @Nullable Object message) {
        reading = true;
        if (message instanceof HttpRequest request && !ending) {
            timeouts.requestRead();
            pipelined.add(request);
            answerPipelined(context.channel());
        }
        // Anything else is (the end of) a body, and bodies are refused with the request.
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        context.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        answerPipelined(context.channel());
    }

    private void answerPipelined(Channel channel) {
        if (answering) {
            return;
        }
        answering = true;
        while (current == null && !ending && channel.isWritable()) {
            HttpRequest next = pipelined.poll();
            if (next == null) {
                break;
            }
            answer(channel, next);
        }
        answering = false;
        channel.config().setAutoRead(ending || (current == null && channel.isWritable()));
    }

    private void answer(Channel channel, HttpRequest request) {
        Reply refusal = checks.refusal(request);
        RequestTarget target = NO_TARGET;
        if (refusal == null) {
            try {
                target = RequestTarget.parse(request.uri());
            } catch (RefusedRequestException e) {
                refusal = e.reply();
            }
        }
        Exchange exchange = new Exchange(this, channel, target, ReplyForm.of(request));
        current = exchange;
        if (refusal != null) {
            exchange.reply(refusal);
            return;
        }
        try {
            router.answer(request.method(), exchange);
        } catch (RuntimeException e) {
            LOG.error("answering {} failed: {}", Shown.of(request.uri()), e.toString(), e);
            exchange.reply(
                    Reply.problem(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error, see the server's log"));
        }
    }

    /** Called by the exchange, on the event loop. */
    void reply(Exchange exchange, Reply reply) {
        if (exchange != current) {
            return;
        }
        current = null;
        Channel channel = exchange.channel();
        ReplyForm form = exchange.form();
        boolean keepAlive = form.keepAlive() && !reply.closes() && !draining;
        ChannelFuture written = ReplyWriter.write(channel, reply, form, keepAlive);
        if (!keepAlive) {
            ending = true;
            written.addListener(reply.closes() ? this::linger : ChannelFutureListener.CLOSE);
        }
        if (!reading) {
            channel.flush();
        }
        answerPipelined(channel);
    }

    /** Closing with unread input would reset the connection, and the client might never see the refusal. */
    private void linger(io.netty.util.concurrent.Future<? super Void> written) {
        Channel channel = ((ChannelFuture) written).channel();
        if (!written.isSuccess() || !(channel instanceof SocketChannel socket)) {
            channel.close();
            return;
        }
        socket.shutdownOutput();
        channel.eventLoop().schedule(() -> channel.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The client has taken too long to send a request. */
    void requestTooSlow(Channel channel) {
        if (current == null && !ending) {
            current = new Exchange(this, channel, NO_TARGET, ReplyForm.LAST);
            reply(
                    current,
                    Reply.problem(HttpResponseStatus.REQUEST_TIMEOUT, "the request did not arrive whole in time")
                            .closing());
        }
    }

    /** Answers what is under way, takes no other request, and closes. */
    void drain(Channel channel) {
        draining = true;
        if (current == null && pipelined.isEmpty() && !ending) {
            channel.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.warn("connection of {} failed: {}", context.channel().remoteAddress(), cause.toString(), cause);
        }
        context.close();
    }
}
