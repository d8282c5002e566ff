package io.snowlease.generator.journal;

import io.snowlease.generator.ClockPolicy;
import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import io.snowlease.generator.SnowflakeGenerator;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Resumes what the journal proves, and writes ids as fast as it can, as longs in batches. Arguments: folder, offset of the
 * wall clock in ms.
 */
final class IssuingChild {
    static final String REGISTRY = "crash-test";
    static final int WORKER = 7;

    private IssuingChild() {}

    public static void main(String[] arguments) throws Exception {
        Clocks clocks = new ShiftedClocks(Long.parseLong(arguments[1]));
        // Not closed: this process ends by SIGKILL.
        Journal journal = Journal.open(Path.of(arguments[0]), clocks);
        JournalEntry before =
                journal.found().forLayout(Layout.CLASSIC).forRegistry(REGISTRY).entry();
        long floor = before == null ? clocks.wallMillis() : before.reservedMillis();
        long epoch = before == null ? 1 : before.epoch() + 1;
        if (before != null) {
            journal.recordResume("token-" + epoch);
        }
        JournalledLease lease = journal.record(
                REGISTRY, Layout.CLASSIC, "token-" + epoch, new StubLease(WORKER, epoch, floor, floor + 3_600_000));
        SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.CLASSIC)
                .clocks(clocks)
                .clockPolicy(ClockPolicy.BORROW)
                .maxWait(Duration.ofMinutes(1))
                .lease(lease)
                .build();
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
