package io.snowlease.registry;

import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.StoreAccessException;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreProvider;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/** Finds the module that serves a coordinator URI. */
final class Stores {
    private Stores() {}

    static LeaseStore open(String coordinator, String namespace, StoreOptions options) {
        int colon = coordinator.indexOf(':');
        String scheme = colon < 0 ? "" : coordinator.substring(0, colon).toLowerCase(Locale.ROOT);
        Set<String> known = new TreeSet<>();
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class, Stores.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return open(provider, parse(coordinator), namespace, options);
            }
            known.addAll(provider.schemes());
        }
        throw new IllegalArgumentException("must start with one of " + known
                + " and a colon (is the registry module for it on the class path?): coordinator="
                + withoutSecret(coordinator));
    }

    private static LeaseStore open(StoreProvider provider, URI uri, String namespace, StoreOptions options) {
        try {
            return provider.open(uri, namespace, options);
        } catch (StoreAccessException e) {
            throw new CoordinatorAccessException(e);
        } catch (StoreUnavailableException e) {
            throw new CoordinatorSetupException(e);
        }
    }

    /** {@link URI} wants something after the colon: a lone slash stands for nothing. */
    private static URI parse(String coordinator) {
        try {
            return new URI(coordinator.endsWith(":") ? coordinator + "/" : coordinator);
        } catch (URISyntaxException e) {
            // Without the cause: it quotes the whole text, secrets and all.
            throw new IllegalArgumentException("malformed coordinator URI, " + e.getReason() + " at character "
                    + e.getIndex() + ": coordinator=" + withoutSecret(coordinator));
        }
    }

    /** Up to the last @: a password may hold any character. */
    private static String withoutSecret(String coordinator) {
        return coordinator.replaceAll("//.*@", "//***@");
    }
}
