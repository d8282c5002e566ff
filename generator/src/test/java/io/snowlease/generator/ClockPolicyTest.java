package io.snowlease.generator;

import static io.snowlease.generator.VirtualClocks.START_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClockPolicyTest {
    private final VirtualClocks clocks = new VirtualClocks();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void refuseThrowsWhenTheClockStaysBehindForLongerThanMaxWait() {
        SnowflakeGenerator generator = generator(ClockPolicy.REFUSE);
        generator.nextId();
        clocks.stepWall(-250);

        assertThatThrownBy(generator::nextId)
                .isInstanceOfSatisfying(ClockBehindException.class, e -> {
                    assertThat(e.reason()).isEqualTo(RefusalReason.CLOCK_BEHIND);
                    assertThat(e.behindMillis()).isEqualTo(150);
                    assertThat(e.retryAfterMillis()).isEqualTo(150);
                })
                .hasMessage("clock is 150 ms behind the last timestamp: clock=2025-12-31T23:59:59.850Z,"
                        + " last=2026-01-01T00:00:00Z, maxWait=100 ms; set the clock right (NTP), or use clock policy"
                        + " HOLD or BORROW");
        assertThat(clocks.waitedMillis()).isEqualTo(100);
    }

    @Test
    void refuseWaitsForAClockThatIsBehindByLessThanMaxWait() {
        SnowflakeGenerator generator = generator(ClockPolicy.REFUSE);
        long before = generator.nextId();
        clocks.stepWall(-60);

        assertThat(generator.nextId()).isEqualTo(before + 1);
        assertThat(clocks.waitedMillis()).isEqualTo(60);
    }

    @Test
    void refuseDoesNotWaitWhenMaxWaitIsZero() {
        SnowflakeGenerator generator = Generators.on(clocks, TestLease.endless())
                .maxWait(Duration.ZERO)
                .build();
        generator.nextId();
        clocks.stepWall(-1);

        assertThatThrownBy(generator::nextId).isInstanceOf(ClockBehindException.class);
        assertThat(clocks.waitedMillis()).isZero();
    }

    @Test
    void aClockThatStepsBackWithinTheTickIsNotBehind() {
        SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.SECONDS)
                .clocks(clocks)
                .lease(TestLease.endless())
                .build();
        clocks.pass(900);
        long before = generator.nextId();

        clocks.stepWall(-800);

        assertThat(generator.nextId()).isEqualTo(before + 1);
    }

    @Test
    void holdStaysOnTheLastTimestampWhileItsSequencesLastThenWaitsForTheNextTick() {
        SnowflakeGenerator generator = generator(ClockPolicy.HOLD);
        generator.nextId();
        clocks.stepWall(-250);

        Generators.useUpTick(generator);

        assertThat(generator.lastTimestampMillis()).isEqualTo(START_MILLIS);
        assertThat(clocks.waitedMillis()).isZero();
        assertThatThrownBy(generator::nextId)
                .isInstanceOfSatisfying(
                        ClockBehindException.class,
                        e -> assertThat(e.retryAfterMillis()).isEqualTo(151))
                .hasMessage("clock is 150 ms behind the last timestamp, whose ids are used up:"
                        + " clock=2025-12-31T23:59:59.850Z, last=2026-01-01T00:00:00Z, maxWait=100 ms; set the clock"
                        + " right (NTP), or use clock policy BORROW");
        clocks.pass(151);
        assertThat(Generators.timestampOf(generator, generator.nextId())).isEqualTo(START_MILLIS + 1);
    }

    @Test
    void borrowRunsAheadOfAClockThatIsBehind() {
        SnowflakeGenerator generator = generator(ClockPolicy.BORROW);
        long before = generator.nextId();
        clocks.stepWall(-250);

        Generators.useUpTick(generator);

        long next = generator.nextId();
        assertThat(next).isGreaterThan(before);
        assertThat(Layout.CLASSIC.decode(next)).isEqualTo(new DecodedId(next, START_MILLIS + 1, 3, 0, 0));
        assertThat(clocks.waitedMillis()).isZero();
    }

    @Test
    void borrowRunsAheadWhenTheSequencesAreUsedUpAndNeverPastTheBound() {
        TestLease lease = new TestLease(3, 7, START_MILLIS, START_MILLIS + 3);
        SnowflakeGenerator generator =
                Generators.on(clocks, lease).clockPolicy(ClockPolicy.BORROW).build();

        long[] ids = new long[3 * 4_096];
        generator.nextIds(ids);

        assertThat(Generators.timestampOf(generator, ids[ids.length - 1])).isEqualTo(START_MILLIS + 2);
        assertThat(clocks.waitedMillis()).isZero();
        clocks.stepWall(-1_000);
        assertThatThrownBy(generator::nextId)
                .isInstanceOf(BoundReachedException.class)
                .hasMessage("timestamps must be below until=2026-01-01T00:00:00.003Z, the bound of worker 3 (epoch 7):"
                        + " timestamp=2026-01-01T00:00:00.003Z is 0 ms past it, and no renewal came within"
                        + " maxWait=100 ms; resumes by itself when the coordinator answers");
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSE", "HOLD"})
    void aClockBeforeTheFirstTimestampIsToldFromOneThatWasSetBack(ClockPolicy policy) {
        TestLease lease = new TestLease(3, 7, START_MILLIS + 500, START_MILLIS + 60_000);
        SnowflakeGenerator generator =
                Generators.on(clocks, lease).clockPolicy(policy).build();

        assertThatThrownBy(generator::nextId)
                .isInstanceOfSatisfying(
                        ClockBehindException.class,
                        e -> assertThat(e.retryAfterMillis()).isEqualTo(400))
                .hasMessage("clock is 400 ms behind the first timestamp this lease may use:"
                        + " clock=2026-01-01T00:00:00.100Z, first=2026-01-01T00:00:00.500Z, maxWait=100 ms; resumes by"
                        + " itself when the clock gets there, else set it right (NTP)");
        clocks.pass(399);
        assertThat(Generators.timestampOf(generator, generator.nextId())).isEqualTo(START_MILLIS + 500);
        assertThat(clocks.waitedMillis()).isEqualTo(500);
    }

    @Test
    void waitsForTheNextTickWhenTheSequencesAreUsedUp() {
        SnowflakeGenerator generator = generator(ClockPolicy.REFUSE);
        Generators.useUpTick(generator);

        assertThat(generator.nextId()).isEqualTo(Layout.CLASSIC.encode(Generators.START_TICK + 1, 3, 0, 0));
        assertThat(clocks.waitedMillis()).isEqualTo(1);
    }

    @Test
    void saysSoWhenTheNextTickIsTooFarAway() {
        SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.parse("32/10/4,tick=1s"))
                .clocks(clocks)
                .lease(TestLease.endless())
                .build();
        clocks.pass(300);
        Generators.useUpTick(generator);

        assertThatThrownBy(generator::nextId)
                .isInstanceOfSatisfying(SequenceExhaustedException.class, e -> {
                    assertThat(e.reason()).isEqualTo(RefusalReason.SEQUENCE_EXHAUSTED);
                    assertThat(e.retryAfterMillis()).isEqualTo(600);
                })
                .hasMessage("the next tick must come within maxWait=100 ms when the ids of one are used up: tick"
                        + " 2026-01-01T00:00:00Z (1s, 4 sequence bits) has none left; issue fewer ids per tick, raise"
                        + " maxWait, or use a layout with more sequence bits");
    }

    @Test
    void aClockThatStepsBackWhileACallWaitsDoesNotMakeItWaitForever() {
        SnowflakeGenerator generator = generator(ClockPolicy.REFUSE);
        Generators.useUpTick(generator);
        clocks.whenParked(() -> clocks.stepWall(-10));

        assertThatThrownBy(generator::nextId).isInstanceOf(ClockBehindException.class);
        assertThat(clocks.waitedMillis()).isEqualTo(100);
    }

    @Test
    void aThreadThatWasPausedPastItsDeadlineMayWaitForOneMoreTick() {
        SnowflakeGenerator generator = generator(ClockPolicy.REFUSE);
        Generators.useUpTick(generator);
        clocks.whenMonotonicIsRead(() -> {
            if (clocks.monotonicReads() == 2) {
                clocks.pass(200);
                Generators.useUpTick(generator);
            }
        });

        assertThat(Generators.timestampOf(generator, generator.nextId())).isEqualTo(START_MILLIS + 201);
    }

    @Test
    void aThreadThatWasPausedPastItsDeadlineDoesNotWaitForLong() {
        SnowflakeGenerator generator = generator(ClockPolicy.REFUSE);
        generator.nextId();
        clocks.stepWall(-1_000);
        clocks.whenMonotonicIsRead(() -> clocks.pass(clocks.monotonicReads() == 2 ? 200 : 0));

        assertThatThrownBy(generator::nextId).isInstanceOf(ClockBehindException.class);
        assertThat(clocks.waitedMillis()).isEqualTo(203);
    }

    @Test
    void anInterruptEndsAWaitAndStaysSet() {
        SnowflakeGenerator generator = generator(ClockPolicy.REFUSE);
        generator.nextId();
        clocks.stepWall(-50);
        clocks.whenParked(() -> Thread.currentThread().interrupt());

        assertThatThrownBy(generator::nextId)
                .isInstanceOfSatisfying(GenerationInterruptedException.class, e -> {
                    assertThat(e.reason()).isEqualTo(RefusalReason.INTERRUPTED);
                    assertThat(e.retryAfterMillis()).isZero();
                })
                .hasMessage("interrupted while waiting (the thread's flag is still set): clock is 49 ms behind the last"
                        + " timestamp: clock=2025-12-31T23:59:59.951Z, last=2026-01-01T00:00:00Z, maxWait=100 ms; set"
                        + " the clock right (NTP), or use clock policy HOLD or BORROW");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void anInterruptedThreadGetsAnIdThatNeedsNoWait() {
        SnowflakeGenerator generator = generator(ClockPolicy.REFUSE);
        Thread.currentThread().interrupt();

        assertThat(generator.nextId()).isPositive();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    private SnowflakeGenerator generator(ClockPolicy policy) {
        return Generators.on(clocks, TestLease.endless()).clockPolicy(policy).build();
    }
}
