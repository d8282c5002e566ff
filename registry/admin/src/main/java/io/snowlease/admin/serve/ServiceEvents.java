package io.snowlease.admin.serve;

/** Told of what people should know. Called from the service's own thread. */
public interface ServiceEvents {
    /** Ids can be asked for, under this worker id. */
    void ready(int worker);

    /** No id can be issued yet, for a reason not told before. */
    void waiting(String reason);

    /** No id will ever be issued: nothing that time could help. */
    void failed(Throwable why);
}
