package io.snowlease.admin.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A TCP link to a server of this host over which each answer takes its time. */
final class SlowLink implements AutoCloseable {
    private final int serverPort;
    private final long delayMillis;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** One thread, so that what comes first is passed on first. */
    private final ScheduledExecutorService late = Executors.newSingleThreadScheduledExecutor();

    SlowLink(int serverPort, Duration delay) throws IOException {
        this.serverPort = serverPort;
        this.delayMillis = delay.toMillis();
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    String uri() {
        return "zookeeper://127.0.0.1:" + listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                sockets.add(client);
                sockets.add(server);
                start(() -> copy(client, server, 0));
                start(() -> copy(server, client, delayMillis));
            } catch (IOException e) {
                close();
            }
        }
    }

    private void copy(Socket from, Socket to, long delay) {
        try (from) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                byte[] part = Arrays.copyOf(buffer, n);
                if (delay == 0) {
                    out.write(part);
                } else {
                    Future<?> unused = late.schedule(() -> pass(part, to, out), delay, TimeUnit.MILLISECONDS);
                }
            }
        } catch (IOException e) {
            end(to);
        }
        end(to);
    }

    private static void pass(byte[] part, Socket to, OutputStream out) {
        try {
            out.write(part);
        } catch (IOException e) {
            end(to);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "slow-link");
        thread.setDaemon(true);
        thread.start();
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        late.shutdownNow();
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sockets.forEach(SlowLink::end);
    }
}
