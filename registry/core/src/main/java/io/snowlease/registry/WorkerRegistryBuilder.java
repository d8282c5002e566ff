package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import io.snowlease.generator.journal.Journal;
import io.snowlease.generator.journal.JournalException;
import io.snowlease.generator.journal.JournalLockedException;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.StoreCredentials;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreTls;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * All there is to set on a {@link WorkerRegistry}. Layout, lease duration, skew and workers are fixed when a registry
 * is made: leave them out to adopt what it has. Not thread-safe.
 */
public final class WorkerRegistryBuilder {
    private static final Duration DEFAULT_START_TIMEOUT = Duration.ofSeconds(30);

    private String coordinator = "embedded:";
    private String namespace = "default";
    private @Nullable String node;
    private @Nullable Layout layout;
    private @Nullable Duration leaseDuration;
    private @Nullable Duration maxSkew;
    private @Nullable WorkerRange workers;
    private Duration startTimeout = DEFAULT_START_TIMEOUT;
    private Duration callTimeout = StoreOptions.DEFAULTS.callTimeout();
    private @Nullable Path dataFolder;
    private int embeddedPort = StoreOptions.DEFAULT_EMBEDDED_PORT;
    private @Nullable Path journal;
    private boolean startEmbedded = true;
    private @Nullable StoreCredentials credentials;
    private @Nullable StoreCredentials sentinelCredentials;
    private @Nullable StoreTls tls;
    private LeaseListener listener = status -> {};
    private Clocks clocks = Clocks.system();

    WorkerRegistryBuilder() {}

    /** Coordinator URI; default {@code embedded:}. */
    public WorkerRegistryBuilder coordinator(String uri) {
        this.coordinator = uri;
        return this;
    }

    /** Namespace: letters, digits, {@code . _ -}, at most 64; default {@code default}. */
    public WorkerRegistryBuilder namespace(String name) {
        this.namespace = Namespaces.check(name);
        return this;
    }

    /**
     * This node's name, at most 255 characters: a hint for people and for getting the same worker id again, never a
     * proof. Default: the host's name.
     */
    public WorkerRegistryBuilder node(String name) {
        this.node = NodeNames.check(name);
        return this;
    }

    /** Layout of the ids; default the registry's, {@code CLASSIC} for a new one. */
    public WorkerRegistryBuilder layout(Layout ids) {
        this.layout = ids;
        return this;
    }

    /** D, how far ahead of use a bound is moved: 100 ms to 24 h, on Redis to 10 min; default the registry's, 60 s for a new one. */
    public WorkerRegistryBuilder leaseDuration(Duration d) {
        this.leaseDuration = d;
        return this;
    }

    /** S, largest tolerated difference of two clocks: 0 to 24 h; default the registry's, 5 s for a new one. */
    public WorkerRegistryBuilder maxSkew(Duration s) {
        this.maxSkew = s;
        return this;
    }

    /** Worker ids handed out; default the registry's, all that the layout has bits for for a new one. */
    public WorkerRegistryBuilder workers(WorkerRange range) {
        this.workers = range;
        return this;
    }

    /** Longest wait of {@code connect} and of {@code newGenerator}, each; default 30 s, 0 for one try. */
    public WorkerRegistryBuilder startTimeout(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("must be >= 0: startTimeout=" + timeout);
        }
        this.startTimeout = timeout;
        return this;
    }

    /** Longest wait of one call to the coordinator; default 5 s. */
    public WorkerRegistryBuilder callTimeout(Duration timeout) {
        this.callTimeout = timeout;
        return this;
    }

    /** Where an embedded coordinator keeps its data; default its own folder. */
    public WorkerRegistryBuilder dataFolder(Path folder) {
        this.dataFolder = folder;
        return this;
    }

    /** Loopback port of an embedded coordinator; default 21810, 0 for any. */
    public WorkerRegistryBuilder embeddedPort(int port) {
        this.embeddedPort = port;
        return this;
    }

    /**
     * Folder of a journal on a local disk, made where it is missing: lets the next process go on with the same worker id
     * within about a second of a crash, start while the coordinator is away, for as long as the lease in the journal
     * lasts, and notice that the clock was set back. It serves one process, and one generator at a time. Default: none.
     */
    public WorkerRegistryBuilder journal(Path folder) {
        this.journal = folder;
        return this;
    }

    /** Whether an embedded coordinator that isn't running is started; default true. */
    public WorkerRegistryBuilder startEmbedded(boolean start) {
        this.startEmbedded = start;
        return this;
    }

    /**
     * Digest credentials for ZooKeeper: what is made there belongs to this user alone, and all nodes of a namespace need
     * the same. For Redis, the ACL user; with {@code requirepass} alone it is called {@code default}. Default: none, or
     * those in a Redis URI.
     *
     * @throws IllegalArgumentException if one is empty, or the user holds a colon; the message holds neither
     */
    public WorkerRegistryBuilder credentials(String user, String password) {
        return credentials(StoreCredentials.of(user, password));
    }

    /** As {@link #credentials(String, String)}; null for none. */
    public WorkerRegistryBuilder credentials(@Nullable StoreCredentials userAndPassword) {
        this.credentials = userAndPassword;
        return this;
    }

    /**
     * Credentials for Redis' sentinels, which are not given those of the servers; with {@code requirepass} alone the user
     * is called {@code default}. Null, the default: none.
     */
    public WorkerRegistryBuilder sentinelCredentials(@Nullable StoreCredentials userAndPassword) {
        this.sentinelCredentials = userAndPassword;
        return this;
    }

    /** Certificates for {@code zookeeper+tls:} and {@code rediss:}; default, and null: those the JDK trusts, and none of this node's own. */
    public WorkerRegistryBuilder tls(@Nullable StoreTls certificates) {
        this.tls = certificates;
        return this;
    }

    /** Told of every change of a lease. */
    public WorkerRegistryBuilder listener(LeaseListener told) {
        this.listener = told;
        return this;
    }

    /** Clocks, for tests. */
    public WorkerRegistryBuilder clocks(Clocks injected) {
        this.clocks = injected;
        return this;
    }

    /**
     * Connects, making the registry if there is none, see {@link WorkerRegistry#connect}.
     *
     * @throws JournalLockedException if another process, or another registry of this one, uses the journal's folder
     * @throws JournalException if the journal's folder can't be made, locked, read or written
     * @throws IllegalArgumentException if a value is out of range, or no module on the class path serves the URI
     * @throws CoordinatorAccessException if credentials are missing or wrong
     */
    public WorkerRegistry connect() {
        RegistrySettings settings = new RegistrySettings(layout, leaseDuration, maxSkew, workers);
        String name = node == null ? NodeNames.ofThisHost() : node;
        LeaseJournal opened =
                journal == null ? LeaseJournal.NONE : new FileLeaseJournal(Journal.open(journal, clocks), namespace);
        LeaseStore store = null;
        try {
            store = Stores.open(coordinator, namespace, storeOptions(callTimeout));
        } finally {
            if (store == null) {
                opened.close();
            }
        }
        return LeasingRegistry.connect(
                store, opened, new LeasingRegistry.Config(namespace, name, settings, startTimeout, listener, clocks));
    }

    /**
     * Opens the namespace for looking at it, and for {@code init}: leases nothing, makes nothing. Does not wait for the
     * coordinator; calls do.
     *
     * @throws CoordinatorSetupException if an embedded coordinator can't be started or found
     */
    public RegistryAdmin openAdmin() {
        return new StoreAdmin(
                Stores.open(coordinator, namespace, storeOptions(perCall())),
                namespace,
                perCall(),
                startTimeout,
                clocks);
    }

    /** One call must not outlast the whole start. */
    private Duration perCall() {
        return startTimeout.isZero() || callTimeout.compareTo(startTimeout) < 0 ? callTimeout : startTimeout;
    }

    private StoreOptions storeOptions(Duration perCall) {
        return new StoreOptions(
                perCall, dataFolder, embeddedPort, startEmbedded, credentials, tls, sentinelCredentials);
    }
}
