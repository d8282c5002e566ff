package io.snowlease.generator;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

class LayoutPropertiesTest {
    private static final long LAST_EPOCH_MILLIS = 4_000_000_000_000L;

    @Property
    void textFormsAreReadBackAsTheSameLayout(@ForAll("layouts") Layout layout) {
        assertThat(Layout.parse(layout.toString())).isEqualTo(layout).hasSameHashCodeAs(layout);
        assertThat(Layout.parse(layout.spec()).spec()).isEqualTo(layout.spec());
    }

    @Property
    void decodingGivesBackWhatWasEncoded(
            @ForAll("layouts") Layout layout, @ForAll long a, @ForAll long b, @ForAll long c, @ForAll long d) {
        long tick = a & layout.maxTick();
        int worker = (int) (b & layout.maxWorkerId());
        int sequence = (int) (c & ((1L << layout.sequenceBits()) - 1));
        int shard = (int) (d & ((1L << layout.shardBits()) - 1));

        long id = layout.encode(tick, worker, sequence, shard);

        assertThat(id).isNotNegative();
        assertThat(layout.decode(id)).isEqualTo(new DecodedId(id, layout.millisOf(tick), worker, sequence, shard));
    }

    @Property
    void theLargestPartsGiveTheLargestId(@ForAll("layouts") Layout layout) {
        long id = layout.encode(
                layout.maxTick(),
                layout.maxWorkerId(),
                (1L << layout.sequenceBits()) - 1,
                (1L << layout.shardBits()) - 1);

        assertThat(id).isEqualTo((1L << layout.idBits()) - 1);
        assertThat(layout.decode(id).timestamp()).isEqualTo(layout.lastInstant());
    }

    @Property
    void laterTicksGiveGreaterIdsWhateverTheOtherParts(
            @ForAll("layouts") Layout layout, @ForAll long a, @ForAll long b) {
        long tick = Math.max(1, a & layout.maxTick());
        int worker = (int) (b & layout.maxWorkerId());
        int anyWorker = layout.workerFirst() ? worker : layout.maxWorkerId();
        long before =
                layout.encode(tick - 1, anyWorker, (1L << layout.sequenceBits()) - 1, (1L << layout.shardBits()) - 1);

        assertThat(layout.encode(tick, layout.workerFirst() ? worker : 0, 0, 0)).isGreaterThan(before);
        assertThat(layout.firstTimestampAfter(before)).isEqualTo(layout.millisOf(tick));
    }

    @Property
    void everyInstantIsInTheTickItIsToldToBeIn(
            @ForAll("layouts") Layout layout, @ForAll @LongRange(min = 0, max = LAST_EPOCH_MILLIS) long millis) {
        long start = layout.millisOf(layout.tickOf(millis));

        assertThat(start).isLessThanOrEqualTo(millis).isGreaterThan(millis - layout.tickMillis());
        assertThat(layout.roundUpToTick(millis)).isEqualTo(start == millis ? millis : start + layout.tickMillis());
    }

    @Provide
    Arbitrary<Layout> layouts() {
        Arbitrary<Integer> timestampBits = Arbitraries.integers().between(1, 32);
        Arbitrary<Integer> workerBits = Arbitraries.integers().between(1, 11);
        Arbitrary<Integer> sequenceBits = Arbitraries.integers().between(1, 12);
        Arbitrary<Integer> shardBits = Arbitraries.integers().between(0, 8);
        Arbitrary<Long> tickMillis = Arbitraries.of(1L, 7L, 10L, 1_000L, 60_000L);
        Arbitrary<Long> epochMillis = Arbitraries.longs().between(0, LAST_EPOCH_MILLIS);
        return Combinators.combine(
                        timestampBits,
                        workerBits,
                        sequenceBits,
                        shardBits,
                        tickMillis,
                        epochMillis,
                        Arbitraries.of(true, false))
                .as((timestamp, worker, sequence, shard, tick, epoch, workerFirst) -> Layout.builder()
                        .bits(timestamp, worker, sequence)
                        .shardBits(shard)
                        .tickMillis(tick)
                        .epochMillis(epoch)
                        .workerFirst(workerFirst)
                        .build());
    }
}
