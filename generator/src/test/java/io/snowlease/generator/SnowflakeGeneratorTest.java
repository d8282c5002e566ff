package io.snowlease.generator;

import static io.snowlease.generator.VirtualClocks.START_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SnowflakeGeneratorTest {
    private final VirtualClocks clocks = new VirtualClocks();
    private final TestLease lease = TestLease.ofAMinute();

    @Test
    void idsCarryClockWorkerAndSequence() {
        SnowflakeGenerator generator = Generators.on(clocks, lease).build();

        assertThat(generator.nextId()).isEqualTo(Layout.CLASSIC.encode(Generators.START_TICK, 3, 0, 0));
        assertThat(generator.nextId()).isEqualTo(Layout.CLASSIC.encode(Generators.START_TICK, 3, 1, 0));
        clocks.pass(5);
        assertThat(generator.nextId()).isEqualTo(Layout.CLASSIC.encode(Generators.START_TICK + 5, 3, 0, 0));
        assertThat(generator.workerId()).isEqualTo(3);
        assertThat(generator.layout()).isEqualTo(Layout.CLASSIC);
    }

    @Test
    void idsOfEveryPresetDecodeToWhatWentIn() {
        for (Layout layout : new Layout[] {
            Layout.SECONDS, Layout.WORKER_FIRST, Layout.JS_SAFE, Layout.LEAF, Layout.COSID, Layout.SEATA
        }) {
            SnowflakeGenerator generator = SnowflakeGenerator.builder(layout)
                    .clocks(clocks)
                    .lease(new TestLease(21, 1, 0, Long.MAX_VALUE))
                    .build();

            generator.nextId();
            DecodedId second = layout.decode(generator.nextId());

            assertThat(second)
                    .isEqualTo(new DecodedId(second.id(), layout.millisOf(layout.tickOf(START_MILLIS)), 21, 1, 0));
        }
    }

    @Test
    void lastTimestampIsOneTickBeforeTheFirstUntilAnIdIsIssued() {
        SnowflakeGenerator generator = Generators.on(clocks, lease).build();
        assertThat(generator.lastTimestampMillis()).isEqualTo(START_MILLIS - 1);
        assertThat(lease.user().lastTimestampMillis()).isEqualTo(START_MILLIS - 1);

        clocks.pass(5);
        generator.nextId();

        assertThat(generator.lastTimestampMillis()).isEqualTo(START_MILLIS + 5);
        assertThat(lease.user().lastTimestampMillis()).isEqualTo(START_MILLIS + 5);
    }

    @Test
    void keysGoIntoTheLowBits() {
        SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.SHARDED)
                .clocks(clocks)
                .lease(lease)
                .build();

        long first = generator.nextId(5 * 1_024 + 17);
        long second = generator.nextId(-1);
        long[] batch = new long[3];
        generator.nextIds(batch, 17);

        assertThat(Layout.SHARDED.decode(first)).isEqualTo(new DecodedId(first, START_MILLIS, 3, 0, 17));
        assertThat(Layout.SHARDED.decode(second)).isEqualTo(new DecodedId(second, START_MILLIS, 3, 1, 1_023));
        assertThat(batch).containsExactly(first + 2 * 1_024, first + 3 * 1_024, first + 4 * 1_024);
    }

    @Test
    void refusesToGuessAShardKeyOrToDropOne() {
        SnowflakeGenerator sharded = SnowflakeGenerator.builder(Layout.SHARDED)
                .clocks(clocks)
                .lease(lease)
                .build();
        SnowflakeGenerator plain = Generators.on(clocks, TestLease.ofAMinute()).build();

        assertThatIllegalStateException()
                .isThrownBy(sharded::nextId)
                .withMessage(
                        "a shard key must be given for layout 29/10/14+10,tick=1s,epoch=2025-01-01T00:00:00Z, which"
                                + " has 10 shard bits: call nextId(shardKey) or nextIds(dst, shardKey)");
        assertThatIllegalStateException().isThrownBy(() -> sharded.nextIds(new long[1]));
        assertThatIllegalStateException()
                .isThrownBy(() -> plain.nextId(1))
                .withMessage("a shard key must not be given for layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z,"
                        + " which has no shard bits: call nextId() or nextIds(dst)");
        assertThatIllegalStateException().isThrownBy(() -> plain.nextIds(new long[1], 1));
    }

    @Test
    void refusesToBuildWithoutALease() {
        assertThatIllegalStateException()
                .isThrownBy(() -> SnowflakeGenerator.builder(Layout.CLASSIC).build())
                .withMessage("a generator must have a lease: call lease(...) before build()");
    }

    @Test
    void refusesWaitsThatAreNoWholeMillisecondsWithinAnHour() {
        SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder(Layout.CLASSIC);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxWait(Duration.ofMillis(-1)))
                .withMessage("maxWait must be whole milliseconds, 0 to PT1H: maxWait=PT-0.001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxWait(Duration.ofDays(1)))
                .withMessage("maxWait must be whole milliseconds, 0 to PT1H: maxWait=PT24H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxWait(Duration.ofNanos(1)))
                .withMessage("maxWait must be whole milliseconds, 0 to PT1H: maxWait=PT0.000000001S");
    }

    @Test
    void refusesAnEpochInTheFuture() {
        clocks.stepWall(Duration.ofDays(-400).toMillis());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Generators.on(clocks, lease).build())
                .withMessage("the epoch must not be in the future: layout=41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z,"
                        + " clock=2024-11-27T00:00:00Z; set the clock right, or choose an earlier epoch");
        assertThat(lease.isAttached()).isFalse();
    }

    @Test
    void refusesIdsPastTheLayoutsLastInstant() {
        SnowflakeGenerator generator =
                Generators.on(clocks, TestLease.endless()).build();
        clocks.stepWall(Instant.parse("2094-09-07T15:47:35.551Z").toEpochMilli() - START_MILLIS);
        assertThat(generator.nextId()).isEqualTo(Layout.CLASSIC.encode(Layout.CLASSIC.maxTick(), 3, 0, 0));

        clocks.pass(1);

        assertThatThrownBy(generator::nextId)
                .isInstanceOfSatisfying(LayoutExhaustedException.class, e -> {
                    assertThat(e.reason()).isEqualTo(RefusalReason.LAYOUT_EXHAUSTED);
                    assertThat(e.retryAfterMillis()).isEqualTo(-1);
                })
                .hasMessage("timestamps must not be past 2094-09-07T15:47:35.551Z, the last instant of layout"
                        + " 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z: timestamp=2094-09-07T15:47:35.552Z; set the"
                        + " clock right, or move to a layout with a later epoch or more timestamp bits");
        clocks.stepWall(Duration.ofDays(400_000_000).toMillis());
        assertThatThrownBy(generator::nextId).isInstanceOf(LayoutExhaustedException.class);
    }

    @Test
    void warnsWithinAYearOfTheLayoutsEnd() {
        long end = Layout.CLASSIC.lastInstant().toEpochMilli();

        assertThat(SnowflakeGenerator.endWarning(
                        Layout.CLASSIC, end - Duration.ofDays(365).toMillis()))
                .isNull();
        assertThat(SnowflakeGenerator.endWarning(
                        Layout.CLASSIC, end - Duration.ofDays(365).toMillis() + 1))
                .isEqualTo("layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z must not run out: its last instant,"
                        + " 2094-09-07T15:47:35.551Z, is 364 days away; move to a layout with a later epoch or more"
                        + " timestamp bits");
    }

    @Test
    void refusalsAreCountedByReason() {
        SnowflakeGenerator generator = Generators.on(clocks, lease).build();
        generator.nextId();
        clocks.stepWall(-1_000);
        assertThatThrownBy(generator::nextId).isInstanceOf(ClockBehindException.class);
        assertThatThrownBy(generator::nextId).isInstanceOf(ClockBehindException.class);

        assertThat(generator.refusals(RefusalReason.CLOCK_BEHIND)).isEqualTo(2);
        assertThat(generator.refusals(RefusalReason.BOUND_REACHED)).isZero();
    }
}
