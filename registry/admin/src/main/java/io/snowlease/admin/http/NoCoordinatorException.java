package io.snowlease.admin.http;

/** There are no slots to show, as the server's worker id is not leased. */
public final class NoCoordinatorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says where the worker id comes from instead. */
    public NoCoordinatorException(String source) {
        super("there are no leases to show: this server's worker id comes from " + source + ", not from a coordinator");
    }
}
