package io.snowlease.registry.zookeeper;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A TCP link to a server that can drop what the server answers, and be cut. */
final class FaultyLink implements AutoCloseable {
    private final int serverPort;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile boolean repliesAreDropped;
    private volatile boolean severed;

    FaultyLink(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listener = new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Connections so far. */
    int accepted() {
        return accepted.get();
    }

    /** From now on requests get through and replies don't. */
    void dropReplies() {
        repliesAreDropped = true;
    }

    /** Ends all connections; new ones work in both directions. */
    void restore() {
        severed = false;
        cut();
        repliesAreDropped = false;
    }

    /** Ends all connections, and lets no new one through. */
    void sever() {
        severed = true;
        cut();
    }

    void cut() {
        sockets.forEach(FaultyLink::close);
        sockets.clear();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                accepted.incrementAndGet();
                if (severed) {
                    close(client);
                    continue;
                }
                sockets.add(client);
                try {
                    Socket server = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), serverPort);
                    sockets.add(server);
                    start(() -> copy(client, server, false));
                    start(() -> copy(server, client, true));
                } catch (IOException e) {
                    close(client);
                }
            }
        } catch (IOException e) {
            cut();
        }
    }

    private void copy(Socket from, Socket to, boolean isReply) {
        byte[] buffer = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (!isReply || !repliesAreDropped) {
                    out.write(buffer, 0, n);
                }
            }
        } catch (IOException e) {
            close(to);
        }
        close(from);
        close(to);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "faulty-link");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
