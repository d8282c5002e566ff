package io.snowlease.registry.redis;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lettuce's threads, all of them daemons: one set for all stores of the process, for as long as there is a store. */
final class SharedResources {
    private static final int THREADS = 2;
    private static final long LAST_CALLS_MILLIS = 2_000;

    private static @Nullable ClientResources shared;
    private static int users;

    private SharedResources() {}

    static synchronized ClientResources acquire() {
        ClientResources found = shared;
        if (found == null) {
            found = DefaultClientResources.builder()
                    .ioThreadPoolSize(THREADS)
                    .computationThreadPoolSize(THREADS)
                    .build();
            shared = found;
        }
        users++;
        return found;
    }

    /** Does not wait for the threads to end. */
    static synchronized void release() {
        users--;
        ClientResources found = shared;
        if (users == 0 && found != null) {
            shared = null;
            Future<Boolean> unused = found.shutdown(0, LAST_CALLS_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
