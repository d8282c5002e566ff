package io.snowlease.generator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.DecodedId;
import io.snowlease.generator.Layout;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes that issue at full speed and are killed with SIGKILL, on clocks that are right, behind and ahead. How
 * often is {@code -Dsnowlease.crashes}; 20 if not given.
 */
class JournalCrashTest {
    private static final int CRASHES = Integer.getInteger("snowlease.crashes", 20);
    private static final long SEED = Long.getLong("snowlease.seed", new Random().nextLong());
    private static final int MAX_IDS = 600_000;
    private static final long[] CLOCK_OFFSETS_MILLIS = {0, -60_000, 0, -5_000, 3_000, -200};

    @TempDir
    private Path folder;

    private long lastId = -1;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void noIdIsIssuedTwiceWhenTheProcessIsKilledAgainAndAgain() throws Exception {
        Random random = new Random(SEED);
        long floor = 0;
        for (int crash = 0; crash < CRASHES; crash++) {
            long offset = CLOCK_OFFSETS_MILLIS[crash % CLOCK_OFFSETS_MILLIS.length];
            // Some die before their first id, or before the journal is written.
            long wanted = crash % 5 == 4 ? 0 : 1 + random.nextInt(MAX_IDS);
            String run = "seed " + SEED + ", run " + crash + ", clock " + offset + " ms";
            long before = lastId;
            killAfter(wanted, offset, floor, run);
            if (wanted > 0) {
                assertThat(lastId).as(run).isGreaterThan(before);
            }
            floor = reservedNow(run, floor);
            assertThat(lastTimestamp()).as(run).isLessThan(floor);
        }
    }

    private void killAfter(long wanted, long offset, long floor, String run) throws Exception {
        Process child = ChildJvm.start(IssuingChild.class, folder.toString(), Long.toString(offset));
        try (InputStream in = child.getInputStream();
                DataInputStream ids = new DataInputStream(new BufferedInputStream(in, 1 << 16))) {
            if (wanted == 0) {
                // The moment varies by itself: anywhere from the JVM's start to its first ids.
                child.waitFor(new Random(SEED + floor).nextInt(700), TimeUnit.MILLISECONDS);
            }
            for (long i = 0; i < wanted; i++) {
                take(ids.readLong(), floor, run);
            }
            // Not Process.destroyForcibly, which closes the pipe too.
            child.toHandle().destroyForcibly();
            drain(ids, floor, run);
        } finally {
            child.destroyForcibly();
            child.waitFor();
        }
    }

    /** What was on its way when the process was killed counts too. */
    private void drain(DataInputStream ids, long floor, String run) throws Exception {
        try {
            while (true) {
                take(ids.readLong(), floor, run);
            }
        } catch (EOFException e) {
            assertThat(e).isNotNull();
        }
    }

    /** Ids of one worker that only grow, across all runs, are never the same. */
    private void take(long id, long floor, String run) {
        if (id <= lastId) {
            throw new AssertionError(
                    run + ": id " + Layout.CLASSIC.decode(id) + " is not above " + Layout.CLASSIC.decode(lastId));
        }
        DecodedId decoded = Layout.CLASSIC.decode(id);
        if (decoded.timestampMillis() < floor) {
            throw new AssertionError(run + ": id " + decoded + " is below the floor " + floor);
        }
        lastId = id;
    }

    private long lastTimestamp() {
        return lastId < 0 ? -1 : Layout.CLASSIC.decode(lastId).timestampMillis();
    }

    private long reservedNow(String run, long before) {
        try (Journal journal = Journal.open(folder)) {
            JournalReading found = journal.found();
            if (before == 0 && found.status() == JournalReading.Status.MISSING) {
                return 0;
            }
            assertThat(found.isProof()).as(run + ": " + found.reason()).isTrue();
            long reserved = Objects.requireNonNull(found.entry()).reservedMillis();
            assertThat(reserved).as(run).isGreaterThanOrEqualTo(before);
            return reserved;
        }
    }
}
