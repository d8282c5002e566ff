package io.snowlease.admin.cli;

import io.snowlease.admin.view.DecodedIdView;
import io.snowlease.generator.IdFormat;
import io.snowlease.generator.Layout;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.RegistryException;
import io.snowlease.registry.protocol.RegistryRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code decode}: the parts of an id; starts nothing. */
@Command(
        name = "decode",
        description = "Take an id apart, by --layout, else by the layout of the registry if it can be reached, else by"
                + " classic; says which on stderr. Starts nothing.")
final class DecodeCommand implements Callable<Integer> {
    private static final Duration LOOK_UP_TIMEOUT = Duration.ofSeconds(2);

    @Mixin
    final GlobalOptions global = new GlobalOptions();

    @Mixin
    private final CoordinatorOptions coordinator = new CoordinatorOptions();

    @Parameters(paramLabel = "ID", description = "An id, in any of the forms of --format")
    @SuppressWarnings("NullAway.Init")
    private String id;

    @Option(
            names = "--format",
            paramLabel = "F",
            description = "The form that the id is in: ${COMPLETION-CANDIDATES}. Default: told from the id; digits only"
                    + " are decimal")
    private @Nullable IdFormat format;

    @Option(names = "--json", description = "One line of JSON, the time in ISO-8601")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private final Io io;
    private final Backend backend;

    DecodeCommand(Io io, Backend backend) {
        this.io = io;
        this.backend = backend;
    }

    @Override
    public Integer call() throws IOException {
        try {
            IdFormat form = format == null ? IdFormat.detect(id) : format;
            Layout layout = layout();
            print(layout, form.parse(id, layout));
        } catch (NumberFormatException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        return 0;
    }

    private void print(Layout layout, long number) throws IOException {
        if (json) {
            io.write(DecodedIdView.json(layout, number));
        } else {
            for (String line : DecodedIdView.lines(layout, number)) {
                io.write(line);
            }
        }
        io.flush();
    }

    private Layout layout() {
        if (coordinator.layout != null) {
            return used(coordinator.layout, "as --layout says");
        }
        try (RegistryAdmin admin =
                backend.openAdmin(coordinator.builder().startEmbedded(false).callTimeout(LOOK_UP_TIMEOUT))) {
            Optional<RegistryRecord> registry = admin.registry();
            String where = "namespace '" + coordinator.namespace + "' on " + admin.servers();
            return registry.isPresent()
                    ? used(registry.get().parsedLayout(), "the registry's of " + where)
                    : used(Layout.CLASSIC, "classic, as there is no registry of " + where);
        } catch (RegistryException e) {
            return used(Layout.CLASSIC, "classic, as no registry could be asked: " + e.getMessage());
        }
    }

    private Layout used(Layout layout, String why) {
        io.message("layout " + layout + ", " + why);
        return layout;
    }
}
