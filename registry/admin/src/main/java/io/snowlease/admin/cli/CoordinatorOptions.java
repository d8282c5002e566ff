package io.snowlease.admin.cli;

import io.snowlease.generator.Layout;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands know about the coordinator and the registry. */
final class CoordinatorOptions {
    @Option(
            names = "--coordinator",
            paramLabel = "URI",
            defaultValue = "embedded:",
            description = "Where worker ids are leased: zookeeper://h1:2181,h2:2181/chroot, the same with"
                    + " zookeeper+tls:// (port 2281); redis://host:6379, redis-sentinel://h1,h2,h3#master,"
                    + " redis-cluster://h1,h2,h3, the same with rediss for TLS; or embedded:, a ZooKeeper in"
                    + " this process. Default: ${DEFAULT-VALUE}")
    String coordinator = "embedded:";

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "Ids are unique within a namespace; letters, digits, '.', '_', '-', at most 64."
                    + " Default: ${DEFAULT-VALUE}")
    String namespace = "default";

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "This node's name, for people and to get the same worker id again. Default: the host's name")
    @Nullable
    String node;

    @Option(
            names = "--lease-duration",
            paramLabel = "DURATION",
            description = "D, how far ahead of use a lease is extended, 100ms to 24h; fixed when the registry is made."
                    + " Default: the registry's; 60s for a new one")
    @Nullable
    Duration leaseDuration;

    @Option(
            names = "--max-skew",
            paramLabel = "DURATION",
            description = "S, largest tolerated difference of two clocks, 0s to 24h; fixed when the registry is made."
                    + " Default: the registry's; 5s for a new one")
    @Nullable
    Duration maxSkew;

    @Option(
            names = "--workers",
            paramLabel = "FIRST-LAST",
            description = "Worker ids handed out, such as 0-1023; fixed when the registry is made."
                    + " Default: the registry's; all of the layout for a new one")
    @Nullable
    WorkerRange workers;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            description = "A preset (classic, seconds, worker-first, sharded, js-safe, leaf, cosid, seata, uid) or bits"
                    + " such as 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z; fixed when the registry is made."
                    + " Default: the registry's; classic for a new one")
    @Nullable
    Layout layout;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where the embedded coordinator keeps its data, and --worker its journals."
                    + " Default: $XDG_DATA_HOME/snowlease, else ~/.local/share/snowlease")
    @Nullable
    Path data;

    @Option(
            names = "--embedded-port",
            paramLabel = "PORT",
            defaultValue = "" + StoreOptions.DEFAULT_EMBEDDED_PORT,
            description = "Loopback port of the embedded coordinator, 0 for any free one. Default: ${DEFAULT-VALUE}")
    int embeddedPort = StoreOptions.DEFAULT_EMBEDDED_PORT;

    @Option(
            names = "--start-timeout",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "Longest wait for the coordinator's first answer and for a worker id, 0s for one try."
                    + " Default: ${DEFAULT-VALUE}")
    Duration startTimeout = Duration.ofSeconds(30);

    @Mixin
    final ZooKeeperOptions zooKeeper = new ZooKeeperOptions();

    @Mixin
    final RedisOptions redis = new RedisOptions();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    /**
     * All of these, checked one by one.
     *
     * @throws ParameterException if a value is out of range
     */
    WorkerRegistryBuilder builder() {
        settings();
        try {
            return filled();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * What a registry is to be made with, or to be checked against.
     *
     * @throws ParameterException if a value is out of range
     */
    RegistrySettings settings() {
        try {
            return new RegistrySettings(layout, leaseDuration, maxSkew, workers);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private WorkerRegistryBuilder filled() {
        WorkerRegistryBuilder builder = WorkerRegistry.builder()
                .coordinator(coordinator)
                .namespace(namespace)
                .embeddedPort(embeddedPort)
                .startTimeout(startTimeout);
        if (node != null) {
            builder.node(node);
        }
        if (leaseDuration != null) {
            builder.leaseDuration(leaseDuration);
        }
        if (maxSkew != null) {
            builder.maxSkew(maxSkew);
        }
        if (workers != null) {
            builder.workers(workers);
        }
        if (layout != null) {
            builder.layout(layout);
        }
        if (data != null) {
            builder.dataFolder(data);
        }
        if (RedisOptions.areFor(coordinator)) {
            redis.addTo(builder, coordinator, command);
        } else {
            zooKeeper.addTo(builder, coordinator, command);
        }
        return builder;
    }
}
