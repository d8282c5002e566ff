package io.snowlease.generator;

import static io.snowlease.generator.VirtualClocks.START_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BatchTest {
    private final VirtualClocks clocks = new VirtualClocks();

    @Test
    void aBatchWithinATickIsOneContiguousRun() {
        SnowflakeGenerator generator =
                Generators.on(clocks, TestLease.endless()).build();
        long before = generator.nextId();
        long[] ids = new long[100];

        generator.nextIds(ids);

        assertThat(ids)
                .containsExactly(
                        LongStream.rangeClosed(before + 1, before + 100).toArray());
        assertThat(generator.nextId()).isEqualTo(before + 101);
    }

    @Test
    void aBatchThatCrossesATickIsTwoRuns() {
        SnowflakeGenerator generator =
                Generators.on(clocks, TestLease.endless()).build();
        long before = generator.nextId();
        generator.nextIds(new long[4_000]);
        long[] ids = new long[100];

        generator.nextIds(ids);

        long nextTick = Layout.CLASSIC.encode(Generators.START_TICK + 1, 3, 0, 0);
        assertThat(ids)
                .containsExactly(LongStream.concat(
                                LongStream.rangeClosed(before + 4_001, before + 4_095),
                                LongStream.range(nextTick, nextTick + 5))
                        .toArray());
    }

    @Test
    void aBatchOfManyTicksMayWaitForEachOfThem() {
        SnowflakeGenerator generator = Generators.on(clocks, TestLease.endless())
                .maxWait(Duration.ofMillis(2))
                .build();
        long[] ids = new long[20 * 4_096];

        generator.nextIds(ids);

        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(Generators.timestampOf(generator, ids[ids.length - 1])).isEqualTo(START_MILLIS + 19);
        assertThat(clocks.waitedMillis()).isEqualTo(19);
    }

    @Test
    void aBatchStopsAtTheBound() {
        TestLease lease = new TestLease(3, 7, START_MILLIS, START_MILLIS + 2);
        SnowflakeGenerator generator = Generators.on(clocks, lease).build();

        assertThatThrownBy(() -> generator.nextIds(new long[3 * 4_096])).isInstanceOf(BoundReachedException.class);
        lease.renewTo(START_MILLIS + 60_000);

        assertThat(Generators.timestampOf(generator, generator.nextId())).isGreaterThan(START_MILLIS + 1);
    }

    @Test
    void anEmptyBatchClaimsNothing() {
        SnowflakeGenerator generator =
                Generators.on(clocks, TestLease.endless()).build();
        long before = generator.nextId();

        generator.nextIds(new long[0]);

        assertThat(generator.nextId()).isEqualTo(before + 1);
    }

    @Test
    void batchesFromARandomStartStayWithinTheTick() {
        SnowflakeGenerator generator = Generators.on(clocks, TestLease.endless())
                .sequenceStart(SequenceStart.RANDOM)
                .build();
        long[] ids = new long[10 * 4_096];

        generator.nextIds(ids);

        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(LongStream.of(ids).map(id -> Layout.CLASSIC.decode(id).worker()))
                .containsOnly(3L);
        assertThat(Layout.CLASSIC.decode(ids[0]).sequence()).isLessThan(256);
    }

    @Test
    void randomStartsDifferBetweenProcesses() {
        long[] starts = new long[64];
        for (int i = 0; i < starts.length; i++) {
            SnowflakeGenerator generator = Generators.on(clocks, TestLease.endless())
                    .sequenceStart(SequenceStart.RANDOM)
                    .build();
            starts[i] = generator.nextId();
        }

        assertThat(LongStream.of(starts).distinct().count()).isGreaterThan(10);
    }

    @Test
    void randomStartsTakeASixteenthOfTheSequencesOrFourOfThem() {
        assertThat(SequenceStart.RANDOM.startBits(12)).isEqualTo(8);
        assertThat(SequenceStart.RANDOM.startBits(7)).isEqualTo(3);
        assertThat(SequenceStart.RANDOM.startBits(4)).isEqualTo(2);
        assertThat(SequenceStart.RANDOM.startBits(2)).isEqualTo(1);
        assertThat(SequenceStart.RANDOM.startBits(1)).isZero();
        assertThat(SequenceStart.ZERO.startBits(12)).isZero();
    }
}
