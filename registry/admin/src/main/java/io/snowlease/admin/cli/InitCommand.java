package io.snowlease.admin.cli;

import io.snowlease.admin.view.Instants;
import io.snowlease.admin.view.JsonText;
import io.snowlease.generator.Layout;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code init}: makes a registry, and never changes one. */
@Command(
        name = "init",
        description = "Make the registry of a namespace; an existing one is not changed. A new one is usable after a"
                + " quarantine of D + 2S (+ L), as a coordinator that has lost its data looks just like a new one.")
final class InitCommand implements Callable<Integer> {
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,19}");

    @Mixin
    final GlobalOptions global = new GlobalOptions();

    @Mixin
    private final CoordinatorOptions coordinator = new CoordinatorOptions();

    @Option(
            names = "--never-used",
            description = "Your word that no id was ever issued in this namespace: usable at once")
    private boolean neverUsed;

    @Option(
            names = "--above",
            paramLabel = "ID|INSTANT",
            description = "All ids are to be above this id (of --layout, else classic), or all timestamps at or after"
                    + " this instant, such as 2026-01-01T00:00:00Z: for those who come from another generator")
    private @Nullable String above;

    @Option(names = "--json", description = "One line of JSON, times in ISO-8601")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private final Io io;
    private final Backend backend;

    InitCommand(Io io, Backend backend) {
        this.io = io;
        this.backend = backend;
    }

    @Override
    public Integer call() throws IOException {
        RegistrySettings settings = coordinator.settings();
        long floor = above == null ? 0 : floor(above, settings.layoutOrDefault());
        try (RegistryAdmin admin = backend.openAdmin(coordinator.builder())) {
            RegistryRecord made = admin.init(settings, neverUsed, floor);
            io.result(json ? json(made) : text(made, admin.servers()));
            if (LeaseRules.isShort(made)) {
                io.message(shortLease(made));
            }
        }
        return 0;
    }

    private long floor(String text, Layout layout) {
        try {
            long floor = DECIMAL.matcher(text).matches()
                    ? layout.firstTimestampAfter(Long.parseLong(text))
                    : layout.roundUpToTick(Instant.parse(text).toEpochMilli());
            if (floor >= layout.endMillis()) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--above must be before " + layout.lastInstant() + ", the last instant of the layout " + layout
                                + ": --above " + text);
            }
            return floor;
        } catch (DateTimeException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--above must be a decimal id or an instant such as 2026-01-01T00:00:00Z: --above " + text,
                    e);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ParameterException(spec.commandLine(), "--above " + text + ": " + e.getMessage(), e);
        }
    }

    private static String shortLease(RegistryRecord made) {
        return "D (" + Instants.span(made.leaseMillis()) + ") should be longer than S ("
                + Instants.span(made.skewMillis()) + "): the leases of a node whose clock is behind may have ended when"
                + " they are granted; it is fixed now, another needs another namespace";
    }

    private String text(RegistryRecord made, String servers) {
        long usableAt = usableAt(made);
        return "made registry " + made.registryId() + " of namespace '" + coordinator.namespace + "' on " + servers
                + ": layout " + made.layout() + ", D " + Instants.span(made.leaseMillis()) + ", S "
                + Instants.span(made.skewMillis()) + ", workers " + made.range() + "; usable "
                + (usableAt <= made.createdAt()
                        ? "now"
                        : "from " + Instants.iso(usableAt) + " (" + Instants.relative(usableAt, made.createdAt())
                                + ")");
    }

    private String json(RegistryRecord made) {
        return JsonText.of(out -> {
            out.writeStartObject();
            out.writeStringField("namespace", coordinator.namespace);
            out.writeStringField("registryId", made.registryId());
            out.writeStringField("layout", made.layout());
            out.writeNumberField("leaseDurationMillis", made.leaseMillis());
            out.writeNumberField("maxSkewMillis", made.skewMillis());
            out.writeStringField("workers", made.range().toString());
            out.writeStringField("createdAt", Instants.iso(made.createdAt()));
            out.writeStringField("usableAt", Instants.iso(usableAt(made)));
            out.writeEndObject();
        });
    }

    private static long usableAt(RegistryRecord made) {
        return Math.max(made.createdAt(), Math.max(made.quarantineUntil(), made.floor()));
    }
}
