package io.snowlease.registry.zookeeper;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.apache.zookeeper.common.X509Exception;
import org.jspecify.annotations.Nullable;

/** Asks each server by itself what part it plays, by the four-letter word {@code srvr}, which changes nothing. */
final class ServerProbe {
    private static final byte[] WORD = "srvr".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_ANSWER = 4_096;
    private static final Pattern MODE = Pattern.compile("^Mode: (\\w+)", Pattern.MULTILINE);
    private static final String NOT_SERVING = "not currently serving requests";

    private ServerProbe() {}

    /**
     * What one server said.
     *
     * @param server its address
     * @param mode its part, such as {@code leader} or {@code standalone}; null if it doesn't say
     * @param trouble why it can't be used, or null
     */
    record Answer(
            String server, @Nullable String mode, @Nullable String trouble) {
        static Answer of(String server, String text) {
            if (text.contains(NOT_SERVING)) {
                return new Answer(server, null, "runs, but does not serve: its ensemble has no majority");
            }
            Matcher mode = MODE.matcher(text);
            return new Answer(server, mode.find() ? mode.group(1) : null, null);
        }
    }

    /** Asks all at once, name look-ups included; done within {@code timeout}. */
    static List<Answer> ask(List<String> servers, Duration timeout, @Nullable ClientTls tls) {
        List<FutureTask<Answer>> asked = new ArrayList<>();
        for (String server : servers) {
            FutureTask<Answer> task = new FutureTask<>(() -> ask(server, timeout, tls));
            asked.add(task);
            Thread thread = new Thread(task, "snowlease-probe");
            thread.setDaemon(true);
            thread.start();
        }
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            answers.add(answer(servers.get(i), asked.get(i), timeout));
        }
        return answers;
    }

    private static Answer answer(String server, FutureTask<Answer> task, Duration timeout) {
        try {
            // Each has its own limit within; this one is for look-ups.
            return task.get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return new Answer(server, null, noAnswer(timeout));
        } catch (ExecutionException e) {
            return new Answer(server, null, String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(server, null, "was not waited for");
        }
    }

    private static Answer ask(String server, Duration timeout, @Nullable ClientTls tls) {
        int colon = server.lastIndexOf(':');
        String host = server.substring(0, colon);
        InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(server.substring(colon + 1)));
        if (address.isUnresolved()) {
            return new Answer(server, null, "no address is known for " + host);
        }
        int millis = Math.toIntExact(Math.max(1, timeout.toMillis() / 2));
        try (Socket plain = new Socket()) {
            plain.connect(address, millis);
            plain.setSoTimeout(millis);
            Socket socket = tls == null ? plain : Diagnosis.handshake(plain, address, tls.context());
            OutputStream out = socket.getOutputStream();
            out.write(WORD);
            out.flush();
            return Answer.of(
                    server, new String(socket.getInputStream().readNBytes(LONGEST_ANSWER), StandardCharsets.US_ASCII));
        } catch (SocketTimeoutException e) {
            return new Answer(server, null, noAnswer(timeout));
        } catch (SSLException e) {
            String problem = TlsProblem.of(e, String.valueOf(tls));
            return new Answer(server, null, problem == null ? String.valueOf(e.getMessage()) : problem);
        } catch (IOException | X509Exception e) {
            return new Answer(server, null, String.valueOf(e.getMessage()));
        }
    }

    private static String noAnswer(Duration timeout) {
        return "no answer within " + timeout.toMillis() + " ms";
    }
}
