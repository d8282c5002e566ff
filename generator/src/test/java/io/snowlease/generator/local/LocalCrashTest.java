package io.snowlease.generator.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.snowlease.generator.Layout;
import io.snowlease.generator.journal.ChildJvm;
import io.snowlease.generator.journal.JournalLockedException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes on one folder that are killed with SIGKILL, on clocks that are right, behind and ahead, with worker ids
 * that change. How often is {@code -Dsnowlease.crashes}; 10 if not given.
 */
class LocalCrashTest {
    private static final int CRASHES = Integer.getInteger("snowlease.crashes", 10);
    private static final long SEED = Long.getLong("snowlease.seed", new Random().nextLong());
    private static final int MAX_IDS = 400_000;
    private static final long[] CLOCK_OFFSETS_MILLIS = {0, -60_000, 3_000, 0, -5_000};
    private static final String[] WORKERS = {"fixed:7", "fixed:7", "fixed:8"};

    @TempDir
    private Path folder;

    private long lastId = -1;
    private long lastMillisOfEarlierRuns = -1;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void noIdIsIssuedTwiceWhenTheProcessIsKilledAgainAndAgain() throws Exception {
        Random random = new Random(SEED);
        for (int crash = 0; crash < CRASHES; crash++) {
            String offset = Long.toString(CLOCK_OFFSETS_MILLIS[crash % CLOCK_OFFSETS_MILLIS.length]);
            String worker = WORKERS[crash % WORKERS.length];
            String run = "seed " + SEED + ", run " + crash + ", " + worker + ", clock " + offset + " ms";
            // Some die before their first id, or before the journal is written.
            boolean early = crash % 5 == 4;
            Process child = ChildJvm.start(LocalIssuingChild.class, folder.toString(), worker, offset);
            try (InputStream in = child.getInputStream();
                    DataInputStream ids = new DataInputStream(new BufferedInputStream(in, 1 << 16))) {
                if (early) {
                    child.waitFor(random.nextInt(700), TimeUnit.MILLISECONDS);
                } else {
                    for (int i = random.nextInt(MAX_IDS); i >= 0; i--) {
                        take(ids.readLong(), run);
                    }
                    assertInUseBy(child);
                }
                // Not Process.destroyForcibly, which closes the pipe too: what was on its way counts.
                child.toHandle().destroyForcibly();
                drain(ids, run);
            } finally {
                child.destroyForcibly();
                child.waitFor();
            }
            lastMillisOfEarlierRuns = Math.max(lastMillisOfEarlierRuns, millisOf(lastId));
            lastId = -1;
        }
        assertThat(lastMillisOfEarlierRuns).isPositive();
    }

    private void assertInUseBy(Process child) {
        assertThatThrownBy(() -> LocalGenerator.open(Layout.CLASSIC, folder, WorkerIdSource.fixed(7)))
                .isInstanceOfSatisfying(
                        JournalLockedException.class,
                        e -> assertThat(e.holderPid()).isEqualTo(child.pid()));
    }

    private void drain(DataInputStream ids, String run) throws Exception {
        try {
            while (true) {
                take(ids.readLong(), run);
            }
        } catch (EOFException e) {
            assertThat(e).isNotNull();
        }
    }

    /** Ids that grow within a run, each with a timestamp above all earlier runs', are never the same. */
    private void take(long id, String run) {
        if (id <= lastId || millisOf(id) <= lastMillisOfEarlierRuns) {
            throw new AssertionError(run + ": id " + Layout.CLASSIC.decode(id) + " is not above "
                    + (lastId < 0 ? "-" : Layout.CLASSIC.decode(lastId)) + " and " + lastMillisOfEarlierRuns);
        }
        lastId = id;
    }

    private static long millisOf(long id) {
        return id < 0 ? -1 : Layout.CLASSIC.decode(id).timestampMillis();
    }
}
