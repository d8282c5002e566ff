package io.snowlease.generator;

import static io.snowlease.generator.VirtualClocks.START_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SwitchToTest {
    private final VirtualClocks clocks = new VirtualClocks();
    private final TestLease first = TestLease.ofAMinute();
    private final TestLease next = new TestLease(9, 2, START_MILLIS, START_MILLIS + 60_000);

    @Test
    void goesOnAboveTheLastTimestampWithTheNewWorkerId() {
        SnowflakeGenerator generator = Generators.on(clocks, first).build();
        clocks.pass(5);
        generator.nextId();

        generator.switchTo(next);

        long id = generator.nextId();
        assertThat(Layout.CLASSIC.decode(id)).isEqualTo(new DecodedId(id, START_MILLIS + 6, 9, 0, 0));
        assertThat(generator.workerId()).isEqualTo(9);
        assertThat(first.isClosed()).isFalse();
    }

    @Test
    void startsWhereTheNewLeaseAllowsWhenThatIsLater() {
        TestLease later = new TestLease(9, 2, START_MILLIS + 50, START_MILLIS + 60_000);
        SnowflakeGenerator generator = Generators.on(clocks, first).build();
        generator.nextId();

        generator.switchTo(later);

        assertThat(Generators.timestampOf(generator, generator.nextId())).isEqualTo(START_MILLIS + 50);
    }

    @Test
    void workerFirstLayoutsStartWhereTheNewLeaseAllows() {
        SnowflakeGenerator generator = SnowflakeGenerator.builder(Layout.WORKER_FIRST)
                .clockPolicy(ClockPolicy.BORROW)
                .clocks(clocks)
                .lease(first)
                .build();
        generator.nextIds(new long[5 * 4_096]);

        generator.switchTo(next);

        assertThat(generator.lastTimestampMillis()).isEqualTo(START_MILLIS + 4);
        assertThat(Generators.timestampOf(generator, generator.nextId())).isEqualTo(START_MILLIS);
        assertThat(generator.lastTimestampMillis()).isEqualTo(START_MILLIS + 4);
    }

    @Test
    void idsIncreaseOverAChainOfLeasesSomeOfWhichIssuedNothing() {
        SnowflakeGenerator generator =
                Generators.on(clocks, first).clockPolicy(ClockPolicy.BORROW).build();
        generator.nextIds(new long[5 * 4_096]);

        generator.switchTo(next);
        assertThat(next.lose("lost before its first id")).isEqualTo(START_MILLIS - 1);
        generator.switchTo(new TestLease(1, 4, START_MILLIS, START_MILLIS + 60_000));

        assertThat(generator.lastTimestampMillis()).isEqualTo(START_MILLIS + 4);
        assertThat(Generators.timestampOf(generator, generator.nextId())).isEqualTo(START_MILLIS + 5);
    }

    @Test
    void theOldLeaseIssuesNothingMoreAndKnowsItsLastTimestamp() {
        SnowflakeGenerator generator = Generators.on(clocks, first).build();
        generator.nextId();
        Run old = generator.run();

        generator.switchTo(next);
        clocks.pass(10);
        generator.nextId();

        assertThat(old.claim(1)).isEqualTo(Run.STOPPED);
        assertThat(first.user().lastTimestampMillis()).isEqualTo(START_MILLIS);
        assertThat(first.user().stop("again")).isEqualTo(START_MILLIS);
    }

    @Test
    void aLostLeaseRefusesWithItsFirstReasonUntilAnotherTakesOver() {
        SnowflakeGenerator generator = Generators.on(clocks, first).build();
        generator.nextId();
        assertThat(first.lose("fenced by epoch 8")).isEqualTo(START_MILLIS);
        first.lose("some later reason");

        assertThatThrownBy(generator::nextId)
                .isInstanceOfSatisfying(
                        LeaseLostException.class, e -> assertThat(e.reason()).isEqualTo(RefusalReason.LEASE_LOST))
                .hasMessage("no lease: worker 3 (epoch 7) stopped: fenced by epoch 8");
        assertThat(clocks.waitedMillis()).isEqualTo(100);

        generator.switchTo(next);
        assertThat(generator.nextId()).isPositive();
    }

    @Test
    void aCallThatWaitsGoesOnWithTheLeaseThatTakesOver() {
        SnowflakeGenerator generator = Generators.on(clocks, first).build();
        first.lose("fenced by epoch 8");
        clocks.whenParked(() -> {
            if (!next.isAttached()) {
                generator.switchTo(next);
            }
        });

        assertThat(Layout.CLASSIC.decode(generator.nextId()).worker()).isEqualTo(9);
        assertThat(clocks.waitedMillis()).isEqualTo(1);
    }

    @Test
    void aLeaseThatCannotBeTakenChangesNothing() {
        SnowflakeGenerator generator = Generators.on(clocks, first).build();
        SnowflakeGenerator other = Generators.on(clocks, next).build();

        assertThatThrownBy(() -> generator.switchTo(next))
                .isInstanceOf(LeaseInUseException.class)
                .hasMessage("lease of worker 9 (epoch 2) has served a generator already: a lease serves one generator,"
                        + " ever; share that generator, or take a new lease");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> generator.switchTo(new TestLease(1_024, 1, START_MILLIS, START_MILLIS + 1)))
                .withMessage(
                        "worker id must be 0 to 1023 (10 worker bits): workerId=1024; use a worker range that fits,"
                                + " or a layout with more worker bits");

        assertThat(Layout.CLASSIC.decode(generator.nextId()).worker()).isEqualTo(3);
        assertThat(Layout.CLASSIC.decode(other.nextId()).worker()).isEqualTo(9);
    }

    @Test
    void aLeaseThatIsLostWhileItIsTakenIssuesNothing() {
        Run run = new Run(new Settings(Layout.CLASSIC, ClockPolicy.REFUSE, SequenceStart.ZERO, 0, 100, clocks), next);
        assertThat(run.stop("lost at once")).isEqualTo(START_MILLIS - 1);

        run.start(0);

        assertThat(run.claim(1)).isEqualTo(Run.STOPPED);
        assertThat(run.stopReason()).isEqualTo("lost at once");
    }

    @Test
    void closeEndsIdsForGoodAndClosesTheLease() {
        SnowflakeGenerator generator = Generators.on(clocks, first).build();
        clocks.pass(5);
        generator.nextId();

        generator.close();
        generator.close();

        assertThat(first.isClosed()).isTrue();
        assertThat(first.lastAtCloseMillis()).isEqualTo(START_MILLIS + 5);
        assertThatThrownBy(generator::nextId)
                .isInstanceOfSatisfying(GeneratorClosedException.class, e -> {
                    assertThat(e.reason()).isEqualTo(RefusalReason.CLOSED);
                    assertThat(e.retryAfterMillis()).isEqualTo(-1);
                })
                .hasMessage("the generator of worker 3 is closed and issues nothing any more: make a new one");
        assertThatThrownBy(() -> generator.switchTo(next)).isInstanceOf(GeneratorClosedException.class);
        assertThat(next.isAttached()).isFalse();
        assertThat(clocks.waitedMillis()).isEqualTo(5);
        assertThat(generator.lastTimestampMillis()).isEqualTo(START_MILLIS + 5);
    }

    @Test
    void closingTheLeaseStopsTheGeneratorToo() {
        SnowflakeGenerator generator =
                Generators.on(clocks, first).maxWait(Duration.ZERO).build();

        first.close();

        assertThatThrownBy(generator::nextId)
                .isInstanceOf(LeaseLostException.class)
                .hasMessage("no lease: worker 3 (epoch 7) stopped: the lease was closed");
    }
}
