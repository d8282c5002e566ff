package io.snowlease.admin.cli;

import io.snowlease.admin.http.HttpLimits;
import io.snowlease.admin.http.HttpServer;
import io.snowlease.admin.serve.Coordinator;
import io.snowlease.admin.serve.IdOrigin;
import io.snowlease.admin.serve.IdService;
import io.snowlease.admin.serve.LeasedIds;
import io.snowlease.admin.serve.LocalIds;
import io.snowlease.admin.serve.ServiceEvents;
import io.snowlease.generator.Clocks;
import io.snowlease.generator.local.WorkerIdSource;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code serve}: leases a worker id and serves ids over HTTP, until it is told to stop. */
@Command(
        name = "serve",
        description = "Lease a worker id, and serve ids over HTTP until SIGTERM or SIGINT; then answer what is under"
                + " way, give the worker id back, and exit with 0.",
        footer = {
            "",
            "Paths: GET /v1/id, /v1/ids?count=N (1 to 10000), /v1/workers, /v1/decode/{id}; key=N with layouts that"
                    + " have shard bits."
        })
final class ServeCommand implements Callable<Integer> {
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);
    private static final int MAX_PORT = 65_535;

    @Mixin
    final GlobalOptions global = new GlobalOptions();

    @Mixin
    private final CoordinatorOptions coordinator = new CoordinatorOptions();

    @Mixin
    private final WorkerOptions worker = new WorkerOptions();

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on. Default: ${DEFAULT-VALUE}, this host only")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7070",
            description = "Port to listen on, 0 for any free one. Default: ${DEFAULT-VALUE}")
    private int port = 7070;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Open connections; one more is answered 503. Default: ${DEFAULT-VALUE}")
    private int maxConnections = 1024;

    @Option(
            names = "--drain-timeout",
            paramLabel = "DURATION",
            defaultValue = "5s",
            description = "When stopping, longest wait for requests under way, 0s for none. Default: ${DEFAULT-VALUE}")
    private Duration drainTimeout = Duration.ofSeconds(5);

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private final Io io;
    private final Backend backend;

    ServeCommand(Io io, Backend backend) {
        this.io = io;
        this.backend = backend;
    }

    @Override
    @SuppressWarnings("try") // the signal acts by itself
    public Integer call() throws IOException {
        LoggingSetup.serving();
        InetSocketAddress address = address();
        HttpLimits limits = HttpLimits.DEFAULTS.withMaxConnections(atLeast1(maxConnections));
        IdOrigin origin = origin();
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<String> url = new CompletableFuture<>();
        try (StopSignal stop = new StopSignal(() -> end.complete(null), true);
                IdService service = new IdService(origin, events(url, end), RETRY_PAUSE);
                HttpServer server = HttpServer.start(address, service, service, limits, Clocks.system())) {
            url.complete(server.url());
            service.start();
            end.join();
            server.drain(drainTimeout);
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
        return 0;
    }

    private IdOrigin origin() {
        WorkerIdSource source = worker.checked();
        WorkerRegistryBuilder looking = coordinator.builder();
        WorkerRegistryBuilder leasing = worker.leasing(coordinator);
        if (source != null) {
            return new LocalIds(
                    WorkerOptions.layout(coordinator),
                    source.toString(),
                    () -> worker.open(source, coordinator, options -> options.maxWait(Duration.ZERO)));
        }
        return new LeasedIds(
                new Coordinator() {
                    @Override
                    public RegistryAdmin openAdmin() {
                        return backend.openAdmin(looking);
                    }

                    @Override
                    public WorkerRegistry connect(Duration startTimeout) {
                        return backend.connect(leasing.startTimeout(startTimeout));
                    }
                },
                coordinator.startTimeout,
                Clocks.system());
    }

    private ServiceEvents events(CompletableFuture<String> url, CompletableFuture<Void> end) {
        return new ServiceEvents() {
            @Override
            public void ready(int workerId) {
                try {
                    io.result("ready: worker " + workerId + ", namespace " + coordinator.namespace + ", " + url.join());
                } catch (IOException e) {
                    throw new UncheckedIOException("can't write to stdout", e);
                }
            }

            @Override
            public void waiting(String reason) {
                io.message("no ids yet: " + reason);
            }

            @Override
            public void failed(Throwable why) {
                end.completeExceptionally(why);
            }
        };
    }

    private InetSocketAddress address() {
        if (port < 0 || port > MAX_PORT) {
            throw new ParameterException(spec.commandLine(), "--port must be 0 to " + MAX_PORT + ": --port " + port);
        }
        InetAddress ip;
        try {
            ip = InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new ParameterException(
                    spec.commandLine(), "--host must be an address of this host: --host " + host, e);
        }
        if (!ip.isLoopbackAddress()) {
            io.message("--host " + host + " can be reached from other hosts, and there is no authentication:"
                    + " whoever reaches it can use ids up and see the nodes' names");
        }
        return new InetSocketAddress(ip, port);
    }

    private int atLeast1(int connections) {
        if (connections < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--max-connections must be at least 1: --max-connections " + connections);
        }
        return connections;
    }
}
