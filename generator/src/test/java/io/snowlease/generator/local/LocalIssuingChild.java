package io.snowlease.generator.local;

import io.snowlease.generator.ClockPolicy;
import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.time.Duration;

/** Writes ids as fast as it can, as longs in batches. Arguments: folder, worker, offset of the wall clock in ms. */
final class LocalIssuingChild {
    private LocalIssuingChild() {}

    @SuppressWarnings("resource") // this process ends by SIGKILL
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        LocalGenerator generator = LocalGenerator.open(
                Layout.CLASSIC,
                worker -> folder,
                WorkerIdSource.parse(arguments[1]),
                options -> options.clockPolicy(ClockPolicy.BORROW).maxWait(Duration.ofMinutes(1)),
                new ShiftedClocks(Long.parseLong(arguments[2])),
                new HostFacts());
        DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 13));
        while (true) {
            out.writeLong(generator.nextId());
        }
    }

    /** The machine's clocks, with a wall clock that is off. */
    private record ShiftedClocks(long offsetMillis) implements Clocks {
        @Override
        public long wallMillis() {
            return Clocks.system().wallMillis() + offsetMillis;
        }

        @Override
        public long monotonicNanos() {
            return Clocks.system().monotonicNanos();
        }

        @Override
        public void parkNanos(long nanos) {
            Clocks.system().parkNanos(nanos);
        }
    }
}
