package io.snowlease.admin.http;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/**
 * What a reply has to look like, whatever it says.
 *
 * @param version the client's version
 * @param keepAlive whether the client wants to go on with the connection
 * @param withoutBody whether the client expects header fields alone
 */
record ReplyForm(HttpVersion version, boolean keepAlive, boolean withoutBody) {
    /** For the last reply of a connection, where there is no request to go by. */
    static final ReplyForm LAST = new ReplyForm(HttpVersion.HTTP_1_1, false, false);

    static ReplyForm of(HttpRequest request) {
        return new ReplyForm(
                request.protocolVersion(),
                HttpUtil.isKeepAlive(request),
                request.method().equals(HttpMethod.HEAD));
    }
}
