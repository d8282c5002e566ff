package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class IdConnectionTest {
    @Test
    void idsOfAReplyThatWasCutShortCount() throws Exception {
        String half = "{\"ids\":[\"11\",\"12\",\"1";
        List<Long> ids = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> serve(server, half));
            try (IdConnection connection = new IdConnection(server.getLocalPort(), ids::add)) {
                assertThatThrownBy(() -> connection.ask(3))
                        .isInstanceOf(EOFException.class)
                        .hasMessage("closed after " + half.length() + " of 99 bytes");
            }
            served.join();
        }
        assertThat(ids).containsExactly(11L, 12L);
    }

    private static void serve(ServerSocket server, String body) {
        try (Socket socket = server.accept()) {
            StringBuilder request = new StringBuilder();
            while (!request.toString().endsWith("\r\n\r\n")) {
                request.append((char) socket.getInputStream().read());
            }
            socket.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }
}
