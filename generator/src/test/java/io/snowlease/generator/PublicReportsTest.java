package io.snowlease.generator;

import static io.snowlease.generator.VirtualClocks.START_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that users of other generators have reported, each named after its report. */
class PublicReportsTest {
    private final VirtualClocks clocks = new VirtualClocks();

    // baidu/uid-generator issue 29 and PR 52: too few time bits gave negative and repeated ids.
    @Test
    void baidu29RefusesTimeBitsThatRanOut() {
        TestLease lease = TestLease.endless();

        assertThatThrownBy(() -> SnowflakeGenerator.builder(Layout.UID)
                        .clocks(clocks)
                        .lease(lease)
                        .build())
                .isInstanceOf(LayoutExhaustedException.class)
                .hasMessage("timestamps must not be past 2024-11-20T13:24:15Z, the last instant of layout"
                        + " 28/22/13,tick=1s,epoch=2016-05-19T16:00:00Z: timestamp=2026-01-01T00:00:00Z; set the clock"
                        + " right, or move to a layout with a later epoch or more timestamp bits");
        assertThat(lease.isAttached()).isFalse();
    }

    // baidu/uid-generator issue 29: worker 462146 in 18 bits ran into the timestamp.
    @Test
    void baidu29RefusesAWorkerIdThatLeaksIntoTheTimestamp() {
        TestLease lease = new TestLease(462_146, 1, 0, Long.MAX_VALUE);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeGenerator.builder(Layout.parse("32/18/13,tick=1s"))
                        .clocks(clocks)
                        .lease(lease)
                        .build())
                .withMessage("worker id must be 0 to 262143 (18 worker bits): workerId=462146; use a worker range that"
                        + " fits, or a layout with more worker bits");
        assertThat(lease.isAttached()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1_024, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void baidu29RefusesEveryWorkerIdOutsideOfItsBits(int workerId) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Generators.on(clocks, new TestLease(workerId, 1, 0, Long.MAX_VALUE))
                        .build());
    }

    // baomidou/mybatis-plus issue 1571: 1168697202356420610 became ...600 in JavaScript.
    @Test
    void mybatisPlus1571JsSafeIdsSurviveADouble() {
        assertThat((long) (double) 1_168_697_202_356_420_610L).isNotEqualTo(1_168_697_202_356_420_610L);
        assertThatIllegalArgumentException().isThrownBy(() -> Layout.JS_SAFE.decode(1_168_697_202_356_420_610L));
        long largest = Layout.JS_SAFE.encode(Layout.JS_SAFE.maxTick(), 31, 127, 0);

        for (long id = largest; id > largest - 10_000; id--) {
            assertThat((long) (double) id).isEqualTo(id);
        }
    }

    // dromara/hutool issue 949: a generator per request for one worker id, 100 threads, duplicates.
    @Test
    void hutool949RefusesASecondGeneratorOnALease() throws Exception {
        TestLease lease = TestLease.endless();
        AtomicInteger built = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();

        Threads.runAll(100, thread -> {
            try {
                Generators.on(clocks, lease).build();
                built.incrementAndGet();
            } catch (LeaseInUseException e) {
                refused.incrementAndGet();
            }
        });

        assertThat(built).hasValue(1);
        assertThat(refused).hasValue(99);
    }

    @Test
    void hutool949RefusesASecondGeneratorAfterTheFirstWasClosed() {
        TestLease lease = TestLease.endless();
        Generators.on(clocks, lease).build().close();

        assertThatThrownBy(() -> Generators.on(clocks, lease).build()).isInstanceOf(IdGenerationException.class);
    }

    // dromara/hutool issues 1206 and 1724: clocks that jitter by up to 100 ms under load.
    @ParameterizedTest
    @EnumSource
    void hutool1206IdsAreUniqueAndWaitsBoundedUnderClockJitter(ClockPolicy policy) {
        SplittableRandom random = new SplittableRandom(1206);
        SnowflakeGenerator generator =
                Generators.on(clocks, TestLease.endless()).clockPolicy(policy).build();
        long previous = -1;
        int issued = 0;

        for (int i = 0; i < 20_000; i++) {
            int jitterMillis = random.nextBoolean() ? -100 : 0;
            clocks.pass(i % 10 == 0 ? 1 : 0);
            clocks.stepWall(jitterMillis);
            long before = clocks.waitedMillis();
            try {
                long id = generator.nextId();
                assertThat(id).isGreaterThan(previous);
                previous = id;
                issued++;
            } catch (ClockBehindException e) {
                assertThat(policy).isNotEqualTo(ClockPolicy.BORROW);
            }
            assertThat(clocks.waitedMillis() - before).isLessThanOrEqualTo(100);
            clocks.stepWall(-jitterMillis);
        }

        assertThat(issued).isGreaterThan(policy == ClockPolicy.REFUSE ? 10_000 : 19_999);
    }

    // apache/shardingsphere issue 3422: one id every 100 ms, all of them even, or all in one shard.
    @Test
    void shardingSphere3422IdsAtLowRatesSpreadOverEveryPowerOfTwo() {
        SnowflakeGenerator generator = Generators.on(clocks, TestLease.endless())
                .sequenceStart(SequenceStart.RANDOM)
                .build();

        for (int modulus = 2; modulus <= 256; modulus *= 2) {
            int[] counts = new int[modulus];
            int perResidue = 400;
            for (int i = 0; i < perResidue * modulus; i++) {
                clocks.pass(100);
                counts[(int) (generator.nextId() % modulus)]++;
            }
            // Six standard deviations of a fair spread.
            for (int count : counts) {
                assertThat(count).isBetween(perResidue - 120, perResidue + 120);
            }
        }
    }

    // apache/incubator-seata PR 2972: A reads the clock at 10, B issues at 11, A continues with its 10.
    @Test
    void seata2972AThreadOvertakenBetweenItsClockAndItsClaimIsNoRollback() {
        SnowflakeGenerator generator =
                Generators.on(clocks, TestLease.endless()).build();
        AtomicInteger reads = new AtomicInteger();
        long[] ofB = new long[1];
        clocks.pass(10);
        clocks.whenWallIsRead(() -> {
            if (reads.getAndIncrement() == 0) {
                // B overtakes A, which has read the state; A's own reading of the clock is then from before B's.
                clocks.pass(1);
                ofB[0] = generator.nextId();
                clocks.stepWall(-1);
            } else if (reads.get() == 3) {
                clocks.stepWall(1);
            }
        });

        long ofA = generator.nextId();

        assertThat(ofA).isGreaterThan(ofB[0]);
        assertThat(Generators.timestampOf(generator, ofB[0])).isEqualTo(START_MILLIS + 11);
        assertThat(Generators.timestampOf(generator, ofA)).isEqualTo(START_MILLIS + 11);
        assertThat(clocks.monotonicReads()).isZero();
        assertThat(generator.refusals(RefusalReason.CLOCK_BEHIND)).isZero();
    }

    @Test
    void seata2972AnOldClockReadingWithANewStateLosesNoRace() {
        Run run = new Run(
                new Settings(Layout.CLASSIC, ClockPolicy.REFUSE, SequenceStart.ZERO, 0, 100, clocks),
                TestLease.endless());
        run.start(0);
        long seenByA = run.state;
        long ofB = run.attempt(run.state, START_MILLIS + 11, 1);

        assertThat(run.attempt(seenByA, START_MILLIS + 10, 1)).isEqualTo(Run.RACE_LOST);

        assertThat(run.attempt(run.state, START_MILLIS + 11, 1)).isEqualTo(ofB + 1);
    }

    // Meituan-Dianping/Leaf PR 94: generation stops when the lease can't be proved, says why, resumes by itself.
    @Test
    void leaf94StopsAtTheBoundAndResumesWithIt() throws Exception {
        TestLease lease = new TestLease(3, 7, START_MILLIS, START_MILLIS + 10);
        SnowflakeGenerator generator = Generators.on(clocks, lease).build();
        Set<Long> ids = new HashSet<>();
        Callable<Boolean> next = () -> ids.add(generator.nextId());
        for (int millis = 0; millis < 10; millis++) {
            assertThat(next.call()).isTrue();
            clocks.pass(1);
        }

        assertThatThrownBy(next::call).isInstanceOf(BoundReachedException.class);
        lease.renewTo(START_MILLIS + 1_000);

        assertThat(next.call()).isTrue();
        assertThat(ids).hasSize(11);
    }
}
