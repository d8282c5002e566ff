package io.snowlease.registry.spi;

import java.net.URI;
import java.util.Set;

/** Opens stores of some URI schemes; found by {@link java.util.ServiceLoader}. Thread-safe. */
public interface StoreProvider {
    /** URI schemes, lower case, such as {@code zookeeper}. */
    Set<String> schemes();

    /**
     * Opens a store. Does not wait for the servers: calls on the store do, each for {@code options.callTimeout()}.
     *
     * @throws IllegalArgumentException if the URI is malformed; the message says what is expected
     * @throws StoreUnavailableException if it can't be opened and waiting would not help; the message says what to do
     */
    LeaseStore open(URI uri, String namespace, StoreOptions options);
}
