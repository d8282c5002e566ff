package io.snowlease.generator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import io.snowlease.generator.RefusalReason;
import io.snowlease.generator.SnowflakeGenerator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal's own thread, on the machine's clocks and disk. */
class JournalThreadTest {
    private static final Clocks CLOCKS = Clocks.system();

    @TempDir
    private Path folder;

    private static StubLease aHourFromNow() {
        long now = CLOCKS.wallMillis();
        return new StubLease(3, 7, now, now + 3_600_000);
    }

    private static boolean comesTrue(java.util.function.BooleanSupplier condition) {
        long deadline = CLOCKS.monotonicNanos() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            if (CLOCKS.monotonicNanos() > deadline) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    private static Thread[] threadsNamed(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .toArray(Thread[]::new);
    }

    @Test
    void movesTheBoundWhileIdsAreIssuedAndSleepsWhileNoneAre() {
        try (Journal journal = Journal.open(folder);
                SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.CLASSIC)
                        .lease(journal.record("r", Layout.CLASSIC, "t", aHourFromNow()))
                        .maxWait(Duration.ofSeconds(30))
                        .build()) {
            long started = CLOCKS.monotonicNanos();
            while (CLOCKS.monotonicNanos() - started < TimeUnit.SECONDS.toNanos(3)) {
                generator.nextId();
            }
            assertThat(generator.refusals(RefusalReason.BOUND_REACHED)).isZero();
            assertThat(journal.syncs()).isBetween(4L, 60L);

            assertThat(comesTrue(() -> isParkedForGood())).isTrue();
            long syncs = journal.syncs();
            assertThat(generator.nextId()).isPositive();
            assertThat(comesTrue(() -> journal.syncs() == syncs + 2)).isTrue();
        }
        assertThat(threadsNamed("snowlease-journal")).isEmpty();
    }

    private static boolean isParkedForGood() {
        Thread[] threads = threadsNamed("snowlease-journal");
        return threads.length == 1 && threads[0].getState() == Thread.State.WAITING;
    }

    @Test
    void interruptedThreadsNeitherCloseTheFileNorLoseTheLock() {
        Thread.currentThread().interrupt();
        try (Journal journal = Journal.open(folder)) {
            for (Thread thread : threadsNamed("snowlease-journal")) {
                thread.interrupt();
            }
            JournalledLease lease = journal.record("r", Layout.CLASSIC, "t", aHourFromNow());
            lease.markClosed("done");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(journal.state()).isEqualTo(JournalState.NO_LEASE);
            Thread.currentThread().interrupt();
        }
        assertThat(Thread.interrupted()).isTrue();
        try (Journal journal = Journal.open(folder)) {
            assertThat(journal.found().status()).isEqualTo(JournalReading.Status.CLOSED);
        }
    }
}
