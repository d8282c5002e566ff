package io.snowlease.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real threads on the machine's clocks. */
class ConcurrencyTest {
    private static final int THREADS = 4;
    private static final int IDS = 100_000;
    /** Fewer, as a wait for the clock costs about a ms. */
    private static final int JITTERY_IDS = 3_000;
    /** Ticks whose sequences no thread can use up, so that an id never needs a wait. */
    private static final Layout WIDE = Layout.parse("32/2/29,tick=1s");

    @ParameterizedTest
    @EnumSource
    void idsAreUniqueAndIncreasePerThread(ClockPolicy policy) throws Exception {
        SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.CLASSIC)
                .clockPolicy(policy)
                .maxWait(Duration.ofSeconds(10))
                .lease(TestLease.endless())
                .build();
        long[][] ids = new long[THREADS][IDS];

        Threads.runAll(THREADS, thread -> {
            for (int i = 0; i < IDS; i++) {
                ids[thread][i] = generator.nextId();
            }
        });

        assertUniqueAndIncreasing(ids);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100, 5_000})
    void batchesAndSingleIdsShareOneRangeWithoutDuplicates(int batch) throws Exception {
        SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.CLASSIC)
                .sequenceStart(SequenceStart.RANDOM)
                .maxWait(Duration.ofSeconds(10))
                .lease(TestLease.endless())
                .build();
        long[][] ids = new long[THREADS][IDS];

        Threads.runAll(THREADS, thread -> {
            for (int i = 0; i < IDS; ) {
                long[] dst = new long[thread % 2 == 0 ? 1 : Math.min(batch, IDS - i)];
                if (dst.length == 1) {
                    dst[0] = generator.nextId();
                } else {
                    generator.nextIds(dst);
                    assertRunsAreContiguous(dst);
                }
                System.arraycopy(dst, 0, ids[thread], i, dst.length);
                i += dst.length;
            }
        });

        assertUniqueAndIncreasing(ids);
    }

    // dromara/hutool issues 1206 and 1724: clocks that jitter by 0 or -100 ms under load.
    @ParameterizedTest
    @EnumSource
    void hutool1206IdsAreUniqueAndIncreaseUnderClockJitter(ClockPolicy policy) throws Exception {
        SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.CLASSIC)
                .clockPolicy(policy)
                .maxWait(Duration.ofSeconds(10))
                .clocks(new JitteryClocks())
                .lease(TestLease.endless())
                .build();
        long[][] ids = new long[THREADS][JITTERY_IDS];

        Threads.runAll(THREADS, thread -> {
            for (int i = 0; i < JITTERY_IDS; i++) {
                ids[thread][i] = generator.nextId();
            }
        });

        assertUniqueAndIncreasing(ids);
    }

    @Test
    void noIdIsIssuedAfterCloseHasReturned() throws Exception {
        for (int round = 0; round < 60; round++) {
            TestLease lease = TestLease.endless();
            SnowflakeGenerator generator = SnowflakeGenerator.builder(WIDE)
                    .maxWait(Duration.ZERO)
                    .lease(lease)
                    .build();
            AtomicBoolean closed = new AtomicBoolean();
            AtomicInteger issuedAfterClose = new AtomicInteger();
            AtomicInteger issuing = new AtomicInteger();
            long[] largest = new long[THREADS];
            long[] stateAtClose = new long[1];

            Threads.runAll(THREADS + 1, thread -> {
                if (thread == THREADS) {
                    while (issuing.get() < THREADS) {
                        Thread.onSpinWait();
                    }
                    generator.close();
                    closed.set(true);
                    stateAtClose[0] = generator.run().state & Long.MAX_VALUE;
                    return;
                }
                try {
                    largest[thread] = generator.nextId();
                    issuing.incrementAndGet();
                    while (true) {
                        boolean closedBefore = closed.get();
                        largest[thread] = generator.nextId();
                        if (closedBefore) {
                            issuedAfterClose.incrementAndGet();
                        }
                    }
                } catch (GeneratorClosedException e) {
                    return;
                }
            });

            // Threads that were in flight may still return an id, but only one that was claimed before.
            DecodedId last = WIDE.decode(Arrays.stream(largest).max().orElseThrow());
            assertThat(issuedAfterClose).hasValue(0);
            assertThat(WIDE.tickOf(last.timestampMillis()) << 29 | last.sequence())
                    .isEqualTo(stateAtClose[0]);
            assertThat(lease.lastAtCloseMillis()).isEqualTo(last.timestampMillis());
        }
    }

    @Test
    void idsStayUniqueAndIncreasingWhileLeasesTakeOver() throws Exception {
        SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.CLASSIC)
                .maxWait(Duration.ofSeconds(10))
                .lease(new TestLease(1_000, 1, 0, Long.MAX_VALUE))
                .build();
        long[][] ids = new long[THREADS][IDS];
        AtomicInteger issuing = new AtomicInteger(THREADS);
        AtomicInteger takeovers = new AtomicInteger();

        Threads.runAll(THREADS + 1, thread -> {
            if (thread == THREADS) {
                while (issuing.get() > 0) {
                    // Worker ids fall: only timestamps can keep the ids increasing.
                    int takeover = takeovers.incrementAndGet();
                    generator.switchTo(new TestLease(999 - takeover % 1_000, 2, 0, Long.MAX_VALUE));
                    Clocks.system().parkNanos(20_000);
                }
                return;
            }
            for (int i = 0; i < IDS; i++) {
                ids[thread][i] = generator.nextId();
            }
            issuing.decrementAndGet();
        });

        assertUniqueAndIncreasing(ids);
        assertThat(takeovers.get()).isGreaterThan(10);
    }

    @Test
    void aBoundThatMovesUnderLoadIsNeverPassed() throws Exception {
        long start = Clocks.system().wallMillis();
        TestLease lease = new TestLease(3, 7, start, start + 1);
        SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.CLASSIC)
                .clockPolicy(ClockPolicy.BORROW)
                .maxWait(Duration.ofSeconds(10))
                .lease(lease)
                .build();
        long[][] ids = new long[THREADS][IDS];
        AtomicInteger issuing = new AtomicInteger(THREADS);

        Threads.runAll(THREADS + 1, thread -> {
            if (thread == THREADS) {
                for (long until = start + 2; issuing.get() > 0; until++) {
                    lease.renewTo(until);
                    Clocks.system().parkNanos(20_000);
                }
                return;
            }
            for (int i = 0; i < IDS; i++) {
                ids[thread][i] = generator.nextId();
                if (Generators.timestampOf(generator, ids[thread][i]) >= lease.untilMillis()) {
                    throw new AssertionError("at or past the bound: " + ids[thread][i]);
                }
            }
            issuing.decrementAndGet();
        });

        assertUniqueAndIncreasing(ids);
    }

    private static void assertUniqueAndIncreasing(long[][] ids) {
        for (long[] ofThread : ids) {
            for (int i = 1; i < ofThread.length; i++) {
                if (ofThread[i] <= ofThread[i - 1]) {
                    throw new AssertionError(ofThread[i] + " was issued after " + ofThread[i - 1]);
                }
            }
        }
        long[] all = Arrays.stream(ids).flatMapToLong(Arrays::stream).toArray();
        assertThat(Arrays.stream(all).distinct().count()).isEqualTo(all.length);
    }

    private static void assertRunsAreContiguous(long[] ids) {
        for (int i = 1; i < ids.length; i++) {
            if (ids[i] >>> 22 == ids[i - 1] >>> 22 && ids[i] != ids[i - 1] + 1) {
                throw new AssertionError(ids[i] + " follows " + ids[i - 1] + " in one tick of a batch");
            }
        }
    }

    /** The machine's clocks, but every other reading of the wall is 100 ms behind. */
    private static final class JitteryClocks implements Clocks {
        private static final Clocks SYSTEM = Clocks.system();

        @Override
        public long wallMillis() {
            return SYSTEM.wallMillis() - (ThreadLocalRandom.current().nextBoolean() ? 100 : 0);
        }

        @Override
        public long monotonicNanos() {
            return SYSTEM.monotonicNanos();
        }

        @Override
        public void parkNanos(long nanos) {
            SYSTEM.parkNanos(nanos);
        }
    }
}
