package io.snowlease.registry.zookeeper;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.spi.StoreAccessException;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.zookeeper.Diagnosis.Finding;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.security.auth.login.Configuration;
import org.apache.curator.ensemble.EnsembleProvider;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that is kept up by Curator, while every call on it is bounded by one deadline: it waits for a session,
 * sends its operations itself, and is repeated only if it says that it may be. Curator's own retries are not used: a
 * write that was applied, and then retried because its reply got lost, would look refused. Thread-safe.
 *
 * <p>Curator also gives a session up once it must have expired: a server that has lost its data refuses for ever one
 * that has seen more than it has.
 *
 * <p>A session never sees older data than it has seen before, but a new one may, and so may one whose last write was
 * not answered: the server it is connected to now may lag behind the one that applied it. Reads that matter therefore
 * ask {@link #mayLag} first, and let a write of their own go ahead if so: what a server answers after it is as new as
 * that write. ZooKeeper's {@code sync} would be cheaper, but is answered without a quorum, and so perhaps by a leader
 * that has just been replaced.
 */
final class ZkConnection implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ZkConnection.class);
    private static final int SESSION_TIMEOUT_MILLIS = 10_000;
    private static final int CONNECTION_TIMEOUT_MILLIS = 5_000;
    private static final long RETRY_NANOS = 20_000_000;
    private static final long WRONG_SERVER_NANOS = 200_000_000;
    /** The default of 1 MB would end at some 25,000 slots. */
    private static final String LARGEST_REPLY_BYTES = String.valueOf(256 << 20);

    private final Supplied servers;
    private final Duration longestCall;
    private volatile Duration callTimeout;
    private final Verifier verifier;
    private final Consumer<String> trace;
    private final Access access;
    private final Diagnosis diagnosis;
    private final Clocks clocks = Clocks.system();
    private final CuratorFramework client;
    private final Set<ZkSession> calls = ConcurrentHashMap.newKeySet();
    private final AtomicLong unclearWrites = new AtomicLong();
    private volatile @Nullable Mark caughtUp;
    private volatile @Nullable ZooKeeper verified;
    private volatile boolean closed;

    /** The servers, for messages. */
    @FunctionalInterface
    interface Supplied {
        String get();
    }

    /** Some steps on one session. */
    @FunctionalInterface
    interface Steps<T> {
        T on(ZkSession session) throws KeeperException, InterruptedException, TimeoutException;
    }

    /** Asked once per session whether the right server was reached. */
    @FunctionalInterface
    interface Verifier {
        Verifier ANY = session -> true;

        boolean isRight(ZkSession session) throws KeeperException, InterruptedException, TimeoutException;
    }

    /** Up to where this client's own writes are known to be seen. */
    record Mark(ZooKeeper handle, long unclearWrites) {}

    ZkConnection(
            EnsembleProvider ensemble,
            Supplied servers,
            Duration callTimeout,
            Verifier verifier,
            Consumer<String> trace,
            Access access,
            @Nullable ClientTls tls,
            Diagnosis diagnosis) {
        this.access = access;
        this.diagnosis = diagnosis;
        this.servers = servers;
        this.longestCall = callTimeout;
        this.callTimeout = callTimeout;
        this.verifier = verifier;
        this.trace = trace;
        this.client = access.on(CuratorFrameworkFactory.builder())
                .ensembleProvider(ensemble)
                .ensembleTracker(false)
                .zkClientConfig(clientConfig(tls))
                .sessionTimeoutMs(SESSION_TIMEOUT_MILLIS)
                .connectionTimeoutMs(CONNECTION_TIMEOUT_MILLIS)
                .retryPolicy(new RetryNTimes(0, 0))
                .waitForShutdownTimeoutMs(1)
                .build();
        client.start();
    }

    /** To a server of this process. */
    static ZkConnection toLoopback(int port) {
        String address = "127.0.0.1:" + port;
        return new ZkConnection(
                new FixedEnsembleProvider(address),
                () -> address,
                Duration.ofSeconds(10),
                Verifier.ANY,
                op -> {},
                new Access(null),
                null,
                Diagnosis.none());
    }

    /** Runs {@code steps}, again and again until the deadline while the connection fails: they must be repeatable. */
    <T> T repeatedly(String what, Steps<T> steps) {
        return call(what, steps, true);
    }

    /** Runs {@code steps} at most once: whether they had an effect is unclear when this throws. */
    <T> T once(String what, Steps<T> steps) {
        return call(what, steps, false);
    }

    /** Whether a read on this session may miss this client's own writes. */
    boolean mayLag(ZkSession session) {
        return !markOf(session).equals(caughtUp);
    }

    /** To be taken before a write that is to be waited for, and set by {@link #isCaughtUp} when it was answered. */
    Mark markOf(ZkSession session) {
        return new Mark(session.handle(), unclearWrites.get());
    }

    /** A write that was sent after {@code mark} was taken has been answered. */
    void isCaughtUp(Mark mark) {
        caughtUp = mark;
    }

    Access access() {
        return access;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        calls.forEach(ZkSession::abort);
        // Waits for the server's good-bye, which a stopped server never says.
        Thread closer = new Thread(client::close, "snowlease-zookeeper-close");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(longestCall.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Bounds each call from now on; at most by what this was made with. */
    void limitCalls(Duration longest) {
        callTimeout = longest.compareTo(longestCall) < 0 ? longest : longestCall;
    }

    private <T> T call(String what, Steps<T> steps, boolean repeatable) {
        long deadline = clocks.monotonicNanos() + callTimeout.toNanos();
        boolean sent = false;
        Exception last = null;
        try {
            while (true) {
                ZkSession session = connected(what, deadline);
                calls.add(session);
                try {
                    if (isVerified(session)) {
                        sent = true;
                        return steps.on(session);
                    }
                    last = new IllegalStateException("another ZooKeeper answers at "
                            + client.getZookeeperClient().getCurrentConnectionString());
                    reset();
                    pause(deadline, WRONG_SERVER_NANOS);
                } catch (KeeperException e) {
                    if (!isConnectionTrouble(e.code())) {
                        throw refused(what, e);
                    }
                    last = e;
                    if (sent && !repeatable) {
                        throw unclear(what, e);
                    }
                } finally {
                    calls.remove(session);
                }
                pause(deadline, RETRY_NANOS);
            }
        } catch (TimeoutException e) {
            throw sent && !repeatable ? unclear(what, e) : timedOut(what, sent, last == null ? e : last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            unclearWrites.incrementAndGet();
            throw new StoreUnavailableException("interrupted while " + what + " at " + servers.get(), e);
        }
    }

    /** Waits for a session. */
    private ZkSession connected(String what, long deadline) throws InterruptedException, TimeoutException {
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (closed) {
                throw new StoreUnavailableException("the connection to " + servers.get() + " is closed", null);
            }
            ZooKeeper handle = handle();
            if (handle != null && handle.getState().isConnected()) {
                diagnosis.up();
                return new ZkSession(handle, clocks, deadline, trace, access);
            }
            if (handle != null && handle.getState() == States.AUTH_FAILED) {
                // The client gives up then, for ever.
                reset();
                throw access.notAccepted(servers.get(), what, null);
            }
            Finding finding = diagnosis.down(clocks.monotonicNanos());
            if (finding != null && finding.isCertain()) {
                throw new StoreAccessException(
                        "no connection to " + servers.get() + " while " + what + ": " + finding.text(), null);
            }
            pause(deadline, RETRY_NANOS);
        }
    }

    private void reset() {
        try {
            client.getZookeeperClient().reset();
        } catch (Exception e) {
            log.debug("A new session for {} was not to be had", servers.get(), e);
        }
    }

    /** Asking is also what makes Curator look after a connection that is down. */
    @Nullable
    ZooKeeper handle() {
        try {
            return client.getZookeeperClient().getZooKeeper();
        } catch (Exception e) {
            return null;
        }
    }

    private boolean isVerified(ZkSession session) throws KeeperException, InterruptedException, TimeoutException {
        if (session.handle() == verified) {
            return true;
        }
        boolean right = verifier.isRight(session);
        if (right) {
            verified = session.handle();
        }
        return right;
    }

    private void pause(long deadline, long nanos) throws InterruptedException, TimeoutException {
        long left = deadline - clocks.monotonicNanos();
        if (left <= 0) {
            throw new TimeoutException();
        }
        clocks.parkNanos(Math.min(nanos, left));
    }

    private StoreUnavailableException unclear(String what, Exception cause) {
        unclearWrites.incrementAndGet();
        return new StoreUnavailableException(
                "no answer from " + servers.get() + " while " + what + ", within " + callTimeout.toMillis()
                        + " ms or before the connection was lost: it may have happened, or may yet",
                cause);
    }

    private StoreUnavailableException timedOut(String what, boolean sent, Exception cause) {
        String problem = sent ? "no answer from " : "no connection to ";
        return new StoreUnavailableException(
                problem + servers.get() + " within " + callTimeout.toMillis() + " ms while " + what + known(), cause);
    }

    private String known() {
        Finding finding = diagnosis.known();
        return finding == null ? "" : ": " + finding.text();
    }

    private StoreUnavailableException refused(String what, KeeperException e) {
        StoreAccessException noAccess = access.refused(servers.get(), what, e);
        if (noAccess != null) {
            return noAccess;
        }
        return new StoreUnavailableException(
                servers.get() + " refused what was sent while " + what + ": " + e.getMessage(), e);
    }

    private static boolean isConnectionTrouble(Code code) {
        return switch (code) {
            case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED, OPERATIONTIMEOUT, REQUESTTIMEOUT, THROTTLEDOP -> true;
            default -> false;
        };
    }

    static ZKClientConfig clientConfig(@Nullable ClientTls tls) {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKConfig.JUTE_MAXBUFFER, LARGEST_REPLY_BYTES);
        if (!hasLogin(config)) {
            // It would ask for the server's canonical name, at each connection, before it finds that there is no login.
            config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        }
        if (tls != null) {
            tls.on(config);
        }
        return config;
    }

    private static boolean hasLogin(ZKClientConfig config) {
        String section = config.getProperty(
                ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, ZKClientConfig.LOGIN_CONTEXT_NAME_KEY_DEFAULT);
        try {
            return Configuration.getConfiguration().getAppConfigurationEntry(section) != null;
        } catch (SecurityException e) {
            return false;
        }
    }
}
