package io.snowlease.admin.cli;

import io.snowlease.generator.IdFormat;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.local.WorkerIdSource;
import io.snowlease.registry.WorkerRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code next}: leases, prints ids, gives the lease back. */
@Command(name = "next", description = "Lease a worker id, print new ids, one a line, and give the worker id back.")
final class NextCommand implements Callable<Integer> {
    private static final int MAX_COUNT = 1_000_000;
    private static final int BATCH = 1_024;
    private static final int STOPPED = 130;
    private static final long MIN_WAIT_MILLIS = 1_000;
    private static final long MIN_LOCAL_WAIT_MILLIS = 3_000;
    private static final long MAX_WAIT_MILLIS = Duration.ofHours(1).toMillis();

    @Mixin
    final GlobalOptions global = new GlobalOptions();

    @Mixin
    private final CoordinatorOptions coordinator = new CoordinatorOptions();

    @Mixin
    private final WorkerOptions worker = new WorkerOptions();

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many ids, 1 to 1000000. Default: ${DEFAULT-VALUE}")
    private int count = 1;

    @Option(
            names = "--key",
            paramLabel = "N",
            description = "Shard key, whose low bits the ids carry; for layouts with shard bits, and needed by them")
    private @Nullable Long key;

    @Option(
            names = "--format",
            paramLabel = "F",
            defaultValue = "decimal",
            description = "How ids are written: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
    private IdFormat format = IdFormat.DECIMAL;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private final Io io;
    private final Backend backend;

    NextCommand(Io io, Backend backend) {
        this.io = io;
        this.backend = backend;
    }

    @Override
    public Integer call() throws IOException {
        if (count < 1 || count > MAX_COUNT) {
            throw new ParameterException(
                    spec.commandLine(), "--count must be 1 to " + MAX_COUNT + ": --count " + count);
        }
        WorkerIdSource source = worker.checked();
        Interruptible printing = new Interruptible();
        try (StopSignal stop = new StopSignal(printing::interrupt, false)) {
            try {
                if (source == null) {
                    printLeased(stop, printing);
                } else {
                    printLocal(source, stop, printing);
                }
            } catch (IOException | RuntimeException e) {
                if (!stop.isRequested()) {
                    throw e;
                }
            }
            return stop.isRequested() ? STOPPED : 0;
        }
    }

    /** The registry closes the generator: after a signal, only once the thread can't be interrupted any more. */
    @SuppressWarnings("MustBeClosedChecker")
    private void printLeased(StopSignal stop, Interruptible printing) throws IOException {
        if (worker.journal != null) {
            LoggingSetup.journalling();
        }
        try (WorkerRegistry registry = backend.connect(worker.leasing(coordinator));
                printing) {
            Layout layout = registry.layout();
            requireKey(layout);
            print(registry.newGenerator(options -> options.maxWait(maxWait(layout, MIN_WAIT_MILLIS))), stop);
        }
    }

    /** After a crash, what it had reserved is waited out. */
    private void printLocal(WorkerIdSource source, StopSignal stop, Interruptible printing) throws IOException {
        coordinator.builder(); // checks the namespace, which is a folder's name here
        Layout layout = WorkerOptions.layout(coordinator);
        requireKey(layout);
        Duration wait = maxWait(layout, MIN_LOCAL_WAIT_MILLIS);
        try (IdGenerator generator = worker.open(source, coordinator, options -> options.maxWait(wait));
                printing) {
            io.message("the worker id comes from " + source
                    + ", not from a coordinator, and may not be this process's alone: " + source.weakness());
            print(generator, stop);
        }
    }

    private void print(IdGenerator generator, StopSignal stop) throws IOException {
        Layout layout = generator.layout();
        for (int left = count; left > 0 && !stop.isRequested(); left -= BATCH) {
            long[] ids = new long[Math.min(left, BATCH)];
            if (key == null) {
                generator.nextIds(ids);
            } else {
                generator.nextIds(ids, key);
            }
            for (long id : ids) {
                io.write(format.format(id, layout));
            }
        }
        io.flush();
    }

    private void requireKey(Layout layout) {
        if (layout.shardBits() > 0 && key == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--key must be given: the layout " + layout + " has " + layout.shardBits() + " shard bits");
        }
        if (layout.shardBits() == 0 && key != null) {
            throw new ParameterException(
                    spec.commandLine(), "--key must be left out: the layout " + layout + " has no shard bits");
        }
    }

    /** A used-up tick is waited out, however long the layout's ticks are. */
    private static Duration maxWait(Layout layout, long leastMillis) {
        return Duration.ofMillis(Math.min(MAX_WAIT_MILLIS, Math.max(leastMillis, 2 * layout.tickMillis())));
    }
}
