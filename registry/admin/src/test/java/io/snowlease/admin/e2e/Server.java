package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@code serve} process on an embedded coordinator of its own folder, and a client for it. */
final class Server implements AutoCloseable {
    private static final Pattern READY =
            Pattern.compile("ready: worker (\\d+), namespace (\\S+), (http://127\\.0\\.0\\.1:\\d+)\\R");
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private final Running process;

    Server(Running process) {
        this.process = process;
    }

    /** Starts one, without waiting for it. */
    static Server start(Path data, String node, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("serve", "--node", node, "--data", data.toString(), "--embedded-port", "0"));
        arguments.addAll(List.of(more));
        if (!arguments.contains("--port")) {
            arguments.addAll(List.of("--port", "0"));
        }
        return new Server(
                Running.start(Objects.requireNonNull(data.getParent(), "parent"), arguments.toArray(String[]::new)));
    }

    Server awaitReady() {
        process.awaitOut("ready: ");
        return this;
    }

    Running process() {
        return process;
    }

    int worker() {
        return Integer.parseInt(ready().group(1));
    }

    String url() {
        return ready().group(3);
    }

    private Matcher ready() {
        Matcher ready = READY.matcher(process.out());
        assertThat(ready.matches()).as(process.out()).isTrue();
        return ready;
    }

    HttpResponse<String> get(String target) throws IOException, InterruptedException {
        return get(url(), target);
    }

    static HttpResponse<String> get(String url, String target) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + target))
                .timeout(Duration.ofSeconds(30))
                .build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    /** Tells it to stop, and waits until it has, with exit code 0. */
    void stop() {
        process.signal("TERM");
        assertThat(process.exitCode()).as(process.err()).isZero();
    }

    @Override
    public void close() {
        process.close();
    }
}
