package io.snowlease.admin.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Bytes to a server and back, for what no HTTP client would send. */
final class RawConnection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket = new Socket();

    RawConnection(HttpServer server) throws IOException {
        socket.connect(server.address(), TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
    }

    RawConnection send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** All that comes until the server closes. */
    String readToEnd() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** What comes until it ends with {@code end}. */
    String readUntil(String end) throws IOException {
        StringBuilder read = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (!read.toString().endsWith(end)) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after: " + read);
            }
            read.append((char) next);
        }
        return read.toString();
    }

    InetSocketAddress localAddress() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
