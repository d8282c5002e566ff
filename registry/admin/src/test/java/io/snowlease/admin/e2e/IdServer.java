package io.snowlease.admin.e2e;

/** A server that is asked for ids, be it killed and started again meanwhile. Thread-safe. */
public interface IdServer {
    /** On the loopback address; the same after each start. */
    int port();

    /** How often it was started. */
    int run();

    /** Records what one client gets from its {@code ofRun}th process. */
    IssuedIds.Client client(int ofRun);
}
