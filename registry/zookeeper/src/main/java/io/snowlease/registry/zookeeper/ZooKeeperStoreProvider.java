package io.snowlease.registry.zookeeper;

import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreProvider;
import io.snowlease.registry.spi.StoreTls;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.jspecify.annotations.Nullable;

/**
 * {@code zookeeper://h1:2181,h2:2181/chroot}, the same by TLS as {@code zookeeper+tls://h1:2281,h2:2281/chroot}, and
 * {@code embedded:} (or {@code embedded:/}, where a {@link URI} wants
 * something after the colon): the ZooKeeper that runs on the data folder, else one that is started in this process.
 *
 * <p>The first two take digest credentials from the options, and none in the URI.
 *
 * <p>Opening {@code embedded:} starts the server where it has to, which takes about a second, and throws {@link
 * io.snowlease.registry.spi.StoreUnavailableException} with what to do if it can't be.
 */
public final class ZooKeeperStoreProvider implements StoreProvider {
    private static final String EMBEDDED = "embedded";

    @Override
    public Set<String> schemes() {
        return Set.of(ServerList.PLAIN, ServerList.TLS, EMBEDDED);
    }

    @Override
    public LeaseStore open(URI uri, String namespace, StoreOptions options) {
        return open(uri, namespace, options, operation -> {});
    }

    /** As {@link #open(URI, String, StoreOptions)}; {@code trace} is told each operation that is sent. */
    static ZooKeeperStore open(URI uri, String namespace, StoreOptions options, Consumer<String> trace) {
        if (namespace.isEmpty()) {
            throw new IllegalArgumentException("must not be empty: namespace=");
        }
        if (EMBEDDED.equals(uri.getScheme().toLowerCase(Locale.ROOT))) {
            return EmbeddedHome.open(uri, namespace, options, trace);
        }
        ServerList servers = ServerList.parse(uri);
        if (!servers.isTls() && options.tls() != null) {
            throw new IllegalArgumentException("must be zookeeper+tls:// where there is a trust store or a key store:"
                    + " uri=" + uri + ", " + options.tls());
        }
        ClientTls tls =
                servers.isTls() ? ClientTls.of(options.tls() == null ? StoreTls.DEFAULTS : options.tls()) : null;
        ZkConnection connection = new ZkConnection(
                new FixedEnsembleProvider(servers.hosts()),
                () -> "ZooKeeper at " + servers,
                options.callTimeout(),
                ZkConnection.Verifier.ANY,
                trace,
                new Access(options.credentials()),
                tls,
                Diagnosis.of(servers.hosts(), tls));
        return new ZooKeeperStore(
                connection,
                new ZkPaths(servers.chroot(), namespace),
                new RemoteHome(servers, options.callTimeout(), tls));
    }

    private record RemoteHome(
            ServerList list, Duration callTimeout, @Nullable ClientTls tls) implements ZooKeeperStore.Home {
        @Override
        public String servers() {
            return list.toString();
        }

        @Override
        public boolean isNeverUsed(ZkConnection connection, ZkPaths paths) {
            return false;
        }

        @Override
        public List<Finding> findings() {
            return EnsembleFindings.of(ServerProbe.ask(list.each(), callTimeout, tls));
        }

        @Override
        public void close() {}
    }
}
