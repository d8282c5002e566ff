package io.snowlease.admin.http;

/** The request itself is wrong; carries the answer. */
final class RefusedRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Reply reply;

    private RefusedRequestException(String detail) {
        super(detail, null, false, false);
        this.reply = Reply.badRequest(detail);
    }

    /** 400 with this detail. */
    static RefusedRequestException badRequest(String detail) {
        return new RefusedRequestException(detail);
    }

    Reply reply() {
        return reply;
    }
}
