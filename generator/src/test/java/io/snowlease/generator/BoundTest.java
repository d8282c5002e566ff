package io.snowlease.generator;

import static io.snowlease.generator.VirtualClocks.START_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BoundTest {
    private static final Layout TENTHS = Layout.parse("38/10/12,tick=100ms");

    private final VirtualClocks clocks = new VirtualClocks();

    @Test
    void everyTimestampIsBelowTheBound() {
        TestLease lease = new TestLease(3, 7, START_MILLIS, START_MILLIS + 10);
        SnowflakeGenerator generator = Generators.on(clocks, lease).build();
        clocks.pass(9);
        assertThat(Generators.timestampOf(generator, generator.nextId())).isEqualTo(START_MILLIS + 9);
        clocks.pass(1);

        assertThatThrownBy(generator::nextId)
                .isInstanceOfSatisfying(BoundReachedException.class, e -> {
                    assertThat(e.reason()).isEqualTo(RefusalReason.BOUND_REACHED);
                    assertThat(e.retryAfterMillis()).isEqualTo(-1);
                })
                .hasMessage("timestamps must be below until=2026-01-01T00:00:00.010Z, the bound of worker 3 (epoch 7):"
                        + " timestamp=2026-01-01T00:00:00.110Z is 100 ms past it, and no renewal came within"
                        + " maxWait=100 ms; resumes by itself when the coordinator answers");
        assertThat(generator.lastTimestampMillis()).isEqualTo(START_MILLIS + 9);
    }

    @Test
    void goesOnByItselfWhenTheBoundMovesWhileACallWaits() {
        TestLease lease = new TestLease(3, 7, START_MILLIS, START_MILLIS + 10);
        SnowflakeGenerator generator = Generators.on(clocks, lease).build();
        clocks.pass(20);
        clocks.whenParked(() -> lease.renewTo(START_MILLIS + 1_000));

        assertThat(Generators.timestampOf(generator, generator.nextId())).isEqualTo(START_MILLIS + 21);
        assertThat(clocks.waitedMillis()).isEqualTo(21);
    }

    @Test
    void goesOnByItselfAfterRefusals() {
        TestLease lease = new TestLease(3, 7, START_MILLIS, START_MILLIS + 10);
        SnowflakeGenerator generator = Generators.on(clocks, lease).build();
        clocks.pass(20);
        assertThatThrownBy(generator::nextId).isInstanceOf(BoundReachedException.class);

        lease.renewTo(START_MILLIS + 1_000);

        assertThat(Generators.timestampOf(generator, generator.nextId())).isEqualTo(START_MILLIS + 120);
    }

    @Test
    void leasesThatMeetOffTheGridShareNoTick() {
        long handover = START_MILLIS + 250;
        SnowflakeGenerator first = tenths(new TestLease(3, 7, START_MILLIS, handover));
        SnowflakeGenerator second = tenths(new TestLease(3, 8, handover, START_MILLIS + 60_000));

        clocks.pass(260);
        assertThat(Generators.timestampOf(first, first.nextId())).isEqualTo(START_MILLIS + 200);
        assertThat(Generators.timestampOf(second, second.nextId())).isEqualTo(START_MILLIS + 300);
        assertThatThrownBy(first::nextId).isInstanceOf(BoundReachedException.class);
    }

    @Test
    void aLeaseThatReachesBackBeyondTheEpochStartsAfterIt() {
        SnowflakeGenerator generator =
                Generators.on(clocks, TestLease.endless()).build();

        assertThat(generator.lastTimestampMillis()).isEqualTo(Layout.CLASSIC.epochMillis());
        assertThat(generator.nextId()).isPositive();
    }

    @Test
    void aLeaseThatStartsAfterTheLayoutsEndIssuesNothing() {
        TestLease lease = new TestLease(3, 7, Long.MAX_VALUE - 1, Long.MAX_VALUE);
        SnowflakeGenerator generator =
                Generators.on(clocks, lease).clockPolicy(ClockPolicy.BORROW).build();

        assertThatThrownBy(generator::nextId).isInstanceOf(LayoutExhaustedException.class);
    }

    private SnowflakeGenerator tenths(TestLease lease) {
        return SnowflakeGenerator.builder(TENTHS).clocks(clocks).lease(lease).build();
    }
}
