package io.snowlease.admin.e2e;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client that misses no id which has left the server, be it in a reply that the server's death has cut short. */
public final class IdConnection implements Closeable {
    /** Longer than any fault lasts: ids of a server that was stopped meanwhile count when they come at last. */
    private static final int TIMEOUT_MILLIS = 300_000;

    private static final Pattern ID = Pattern.compile("\"(\\d+)\"");
    private static final Pattern HEAD = Pattern.compile(
            "HTTP/1\\.1 (\\d{3}) .*\\r\\ncontent-length: (\\d+)\\r\\n.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final Socket socket;
    private final InputStream in;
    private final LongConsumer ids;

    /** Connects to a port of the loopback address; {@code ids} is told each id. */
    public IdConnection(int port, LongConsumer ids) throws IOException {
        this.ids = ids;
        this.socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            this.in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** A reply that has come to its end. */
    public record Answer(int status, String body) {}

    /**
     * Asks for ids, and tells each.
     *
     * @throws IOException if the reply, or the rest of it, does not come
     */
    public Answer ask(int count) throws IOException {
        String request = "GET /v1/ids?count=" + count + " HTTP/1.1\r\nHost: 127.0.0.1:" + socket.getPort() + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        String head = head();
        Matcher matcher = HEAD.matcher(head);
        if (!matcher.matches()) {
            throw new IOException("no head of a reply: " + head);
        }
        return new Answer(Integer.parseInt(matcher.group(1)), body(Integer.parseInt(matcher.group(2))));
    }

    private String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("closed after: " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private String body(int length) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream(length);
        byte[] part = new byte[8192];
        try {
            while (body.size() < length) {
                int n = in.read(part, 0, Math.min(part.length, length - body.size()));
                if (n < 0) {
                    throw new EOFException("closed after " + body.size() + " of " + length + " bytes");
                }
                body.write(part, 0, n);
            }
        } finally {
            Matcher id = ID.matcher(body.toString(StandardCharsets.UTF_8));
            while (id.find()) {
                ids.accept(Long.parseLong(id.group(1)));
            }
        }
        return body.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
