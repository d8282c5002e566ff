package io.snowlease.registry.zookeeper;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.common.X509Exception;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why no session comes about, by a connection of its own: ZooKeeper's client logs what goes wrong with TLS,
 * and tells nobody. On a thread of its own, as name look-ups have no time limit; at most one at a time. Thread-safe.
 */
final class Diagnosis {
    private static final long PATIENCE_NANOS = 1_000_000_000;
    private static final long AGAIN_NANOS = 5_000_000_000L;
    private static final int CONNECT_MILLIS = 2_000;
    private static final int ANSWER_MILLIS = 2_000;
    /** With TLS 1.3, a server refuses a client's certificate after the handshake. */
    private static final int LATE_REFUSAL_MILLIS = 500;

    private final @Nullable String hosts;
    private final @Nullable ClientTls tls;
    private long dueNanos;
    private boolean isDown;
    private boolean wasUp;
    private boolean isRunning;
    private volatile @Nullable Finding finding;

    private Diagnosis(@Nullable String hosts, @Nullable ClientTls tls) {
        this.hosts = hosts;
        this.tls = tls;
    }

    /** Of servers that may speak TLS, or are expected to. */
    static Diagnosis of(String hosts, @Nullable ClientTls tls) {
        return new Diagnosis(hosts, tls);
    }

    /** Of a server that is known well. */
    static Diagnosis none() {
        return new Diagnosis(null, null);
    }

    /**
     * What was found.
     *
     * @param isCertain whether it is so at all servers, and no waiting mends it
     */
    record Finding(String text, boolean isCertain) {}

    /** There is a session. */
    synchronized void up() {
        isDown = false;
        wasUp = true;
        finding = null;
    }

    /** There is none at present: looks into it once that has lasted. Returns what is known so far. */
    @Nullable
    Finding down(long nowNanos) {
        synchronized (this) {
            if (!isDown) {
                isDown = true;
                dueNanos = nowNanos + PATIENCE_NANOS;
            }
            boolean isWanted = hosts != null && (tls != null || !wasUp);
            if (isWanted && !isRunning && nowNanos - dueNanos >= 0) {
                isRunning = true;
                dueNanos = nowNanos + AGAIN_NANOS;
                Thread thread = new Thread(this::run, "snowlease-zookeeper-diagnosis");
                thread.setDaemon(true);
                thread.start();
            }
        }
        return finding;
    }

    /** What was found since there was a session. */
    @Nullable
    Finding known() {
        return finding;
    }

    private void run() {
        Finding found = null;
        try {
            found = hosts == null ? null : look(hosts);
        } finally {
            synchronized (this) {
                isRunning = false;
                finding = isDown ? found : null;
            }
        }
    }

    private @Nullable Finding look(String list) {
        List<InetSocketAddress> servers = new ConnectStringParser(list).getServerAddresses();
        List<String> problems = new ArrayList<>();
        for (InetSocketAddress server : servers) {
            String problem = tls == null ? problemOfPlain(server) : problemOfTls(server, tls);
            if (problem != null) {
                problems.add(server.getHostString() + ":" + server.getPort() + ": " + problem);
            }
        }
        return problems.isEmpty() ? null : new Finding(String.join("; ", problems), problems.size() == servers.size());
    }

    private static @Nullable String problemOfPlain(InetSocketAddress server) {
        try (Socket socket = connect(server)) {
            shakeHands(socket, server, SSLContext.getDefault());
        } catch (SSLException e) {
            // A server that has no TLS sends no certificate to find fault with, and no alert.
            if (TlsProblem.of(e, "") == null) {
                return null;
            }
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            return null;
        }
        return "it wants TLS: use zookeeper+tls://";
    }

    private static @Nullable String problemOfTls(InetSocketAddress server, ClientTls tls) {
        try (Socket socket = connect(server)) {
            shakeHands(socket, server, tls.context());
            return null;
        } catch (IOException e) {
            String problem = TlsProblem.of(e, tls.toString());
            return problem == null && isPlain(server) ? "it has no TLS at this port" : problem;
        } catch (X509Exception | RuntimeException e) {
            return "the certificates of this node can't be used (" + TlsProblem.root(e) + ")";
        }
    }

    private static Socket connect(InetSocketAddress server) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(server.getHostString(), server.getPort()), CONNECT_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** The secured socket, which closes the plain one. */
    static SSLSocket handshake(Socket socket, InetSocketAddress server, SSLContext context) throws IOException {
        SSLSocket secured = (SSLSocket)
                context.getSocketFactory().createSocket(socket, server.getHostString(), server.getPort(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private static void shakeHands(Socket socket, InetSocketAddress server, SSLContext context) throws IOException {
        try (SSLSocket secured = handshake(socket, server, context)) {
            secured.setSoTimeout(LATE_REFUSAL_MILLIS);
            try {
                int unused = secured.getInputStream().read();
            } catch (SocketTimeoutException e) {
                // It waits for a request, as it should.
            }
        }
    }

    /** A plain port answers four letters, be it to say that it does not execute them. */
    private static boolean isPlain(InetSocketAddress server) {
        try (Socket socket = connect(server)) {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            InputStream answer = socket.getInputStream();
            String text = new String(answer.readNBytes(20), StandardCharsets.US_ASCII);
            return text.startsWith("Zookeeper version")
                    || text.startsWith("srvr is not executed")
                    || text.startsWith("This ZooKeeper");
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}
