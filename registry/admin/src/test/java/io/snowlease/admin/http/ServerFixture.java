package io.snowlease.admin.http;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.SlotStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/** A server on a free loopback port, and a client for it. */
final class ServerFixture implements AutoCloseable {
    static final SlotInfo SLOT = new SlotInfo(
            0,
            SlotStatus.HELD,
            "node-a",
            7,
            1_767_323_045_000L,
            1_767_323_105_000L,
            1_767_323_045_678L,
            1_767_323_045_000L,
            1_767_323_050_000L);

    static final HttpLimits LIMITS = new HttpLimits(
            4 << 10,
            8 << 10,
            64,
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10));

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer server;

    private ServerFixture(HttpServer server) {
        this.server = server;
    }

    static ServerFixture of(IdSource ids) throws IOException {
        return of(ids, () -> List.of(SLOT), LIMITS);
    }

    static ServerFixture of(IdSource ids, SlotSource slots, HttpLimits limits) throws IOException {
        return new ServerFixture(HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ids, slots, limits, Clocks.system()));
    }

    HttpServer server() {
        return server;
    }

    RawConnection connect() throws IOException {
        return new RawConnection(server);
    }

    HttpResponse<String> get(String target) throws IOException, InterruptedException {
        return send("GET", target);
    }

    HttpResponse<String> send(String method, String target) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + target))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(30))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    @Override
    public void close() {
        server.close();
    }
}
