package io.snowlease.admin.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpVersion;

/** Turns a reply into bytes. */
final class ReplyWriter {
    /** Names and values are ours: nothing to validate. */
    private static final HttpHeadersFactory HEADERS =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private ReplyWriter() {}

    /** Writes without flushing; says to the client whether the connection stays. */
    static ChannelFuture write(Channel channel, Reply reply, ReplyForm form, boolean keepAlive) {
        String text = reply.body();
        ByteBuf body = channel.alloc().buffer(ByteBufUtil.utf8MaxBytes(text.length()));
        ByteBufUtil.writeUtf8(body, text);
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, reply.status(), body, HEADERS, HEADERS);
        HttpHeaders headers = response.headers();
        headers.set(HttpHeaderNames.CONTENT_TYPE, reply.type());
        headers.set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        if (form.withoutBody()) {
            body.clear();
        }
        headers.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        if (reply.retryAfterSeconds() > 0) {
            headers.set(HttpHeaderNames.RETRY_AFTER, reply.retryAfterSeconds());
        }
        if (reply.allow() != null) {
            headers.set(HttpHeaderNames.ALLOW, reply.allow());
        }
        if (!keepAlive) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (form.version().equals(HttpVersion.HTTP_1_0)) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        return channel.write(response);
    }
}
