package io.snowlease.generator;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the bits of an id are shared out, and what its timestamps mean. Immutable; equal by value, whatever it was made
 * from.
 *
 * <p>From the high end: timestamp, worker, sequence, shard (worker, timestamp, sequence, shard if {@link
 * #workerFirst()}). A timestamp is a number of ticks since the epoch instant; its text forms are those of {@link
 * #parse}.
 */
public final class Layout {
    /** 2025-01-01T00:00:00Z, the epoch of the presets that carry no other system's. */
    public static final long DEFAULT_EPOCH_MILLIS = 1_735_689_600_000L;

    /** 41/10/12, 1 ms: 69 years, 1,024 workers, 4.096 M ids/s each. */
    public static final Layout CLASSIC = builder().bits(41, 10, 12).build();

    /** 32/10/20, 1 s: 136 years, 1,024 workers, 1,048,576 ids in each second, bursts included. */
    public static final Layout SECONDS =
            builder().bits(32, 10, 20).tickMillis(1_000).build();

    /** 41/10/12, 1 ms, worker on top: the ids of each worker form one increasing run. */
    public static final Layout WORKER_FIRST =
            builder().bits(41, 10, 12).workerFirst(true).build();

    /** 29/10/14 + 10 shard bits, 1 s: 17 years, {@code id mod 1024 == shardKey mod 1024}. */
    public static final Layout SHARDED =
            builder().bits(29, 10, 14).shardBits(10).tickMillis(1_000).build();

    /** 41/5/7, 1 ms: 53 bits, exact in JavaScript numbers; 32 workers, 128,000 ids/s each. */
    public static final Layout JS_SAFE = builder().bits(41, 5, 7).build();

    /** Meituan Leaf's: 41/10/12, 1 ms, epoch 2010-11-04T01:42:54.657Z (Twitter's). */
    public static final Layout LEAF =
            builder().bits(41, 10, 12).epochMillis(1_288_834_974_657L).build();

    /** CosId's: 41/10/12, 1 ms, epoch 2019-12-24T16:00:00Z. */
    public static final Layout COSID =
            builder().bits(41, 10, 12).epochMillis(1_577_203_200_000L).build();

    /** Seata's: worker first, 41/10/12, 1 ms, epoch 2020-05-02T16:00:00Z (3 May in China). */
    public static final Layout SEATA = builder()
            .bits(41, 10, 12)
            .epochMillis(1_588_435_200_000L)
            .workerFirst(true)
            .build();

    /**
     * Baidu uid-generator's: 28/22/13, 1 s, epoch 2016-05-19T16:00:00Z, the constant of its source (20 May in China;
     * with {@code epochStr} configured it is midnight in that process's time zone instead: state the epoch then). Its 28
     * bits ran out on 2024-11-20, so that it serves to decode only: a generator refuses it.
     */
    public static final Layout UID = builder()
            .bits(28, 22, 13)
            .tickMillis(1_000)
            .epochMillis(1_463_673_600_000L)
            .build();

    private final int timestampBits;
    private final int workerBits;
    private final int sequenceBits;
    private final int shardBits;
    private final long tickMillis;
    private final long epochMillis;
    private final boolean workerFirst;

    Layout(LayoutBuilder from) {
        this.timestampBits = from.timestampBits;
        this.workerBits = from.workerBits;
        this.sequenceBits = from.sequenceBits;
        this.shardBits = from.shardBits;
        this.tickMillis = from.tickMillis;
        this.epochMillis = from.epochMillis;
        this.workerFirst = from.workerFirst;
    }

    /** A builder that starts from 1 ms ticks and 2025-01-01T00:00:00Z; the bits must be given. */
    public static LayoutBuilder builder() {
        return new LayoutBuilder();
    }

    /**
     * Reads a preset's name ({@code classic}, {@code worker-first}; case and {@code -} or {@code _} don't matter) or
     * {@code timestamp/worker/sequence[+shard]} bits with options, in any order: {@code
     * 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z}, {@code 29/10/14+10,tick=1s}, {@code 41/10/12,worker-first}. Bits
     * are in this order even where the worker comes first. Without options: 1 ms ticks, epoch 2025-01-01T00:00:00Z.
     *
     * @throws IllegalArgumentException if it can't be read, or breaks a rule of {@link LayoutBuilder}
     */
    public static Layout parse(String text) {
        return LayoutSpec.parse(text);
    }

    /** Bits of the timestamp. */
    public int timestampBits() {
        return timestampBits;
    }

    /** Bits of the worker id. */
    public int workerBits() {
        return workerBits;
    }

    /** Bits of the sequence within a tick. */
    public int sequenceBits() {
        return sequenceBits;
    }

    /** Bits of the shard key at the low end; 0 for none. */
    public int shardBits() {
        return shardBits;
    }

    /** Length of a tick in ms. */
    public long tickMillis() {
        return tickMillis;
    }

    /** Start of tick 0 in ms since 1970 UTC. */
    public long epochMillis() {
        return epochMillis;
    }

    /** Whether the worker id is above the timestamp. */
    public boolean workerFirst() {
        return workerFirst;
    }

    /** Largest worker id. */
    public int maxWorkerId() {
        return (int) ((1L << workerBits) - 1);
    }

    /** Largest tick. */
    public long maxTick() {
        return (1L << timestampBits) - 1;
    }

    /** Bits that an id uses; the others are 0. */
    public int idBits() {
        return timestampBits + workerBits + sequenceBits + shardBits;
    }

    /** Whether every id is at most 2^53 − 1, the largest integer that JavaScript numbers hold exactly. */
    public boolean fitsJavaScript() {
        return idBits() <= 53;
    }

    /** Number of the tick that the instant is in; negative before the epoch. */
    public long tickOf(long millis) {
        return Math.floorDiv(Math.subtractExact(millis, epochMillis), tickMillis);
    }

    /** Start of the tick in ms since 1970 UTC. */
    public long millisOf(long tick) {
        return Math.addExact(epochMillis, Math.multiplyExact(tick, tickMillis));
    }

    /**
     * The instant itself if it is on the grid {@code epoch + k × tick}, else the next one that is.
     *
     * @throws ArithmeticException if that is beyond {@link Long#MAX_VALUE}
     */
    public long roundUpToTick(long millis) {
        long pastGrid = Math.floorMod(Math.floorMod(millis, tickMillis) - epochMillis % tickMillis, tickMillis);
        return pastGrid == 0 ? millis : Math.addExact(millis, tickMillis - pastGrid);
    }

    /** Last timestamp that the bits can express. */
    public Instant lastInstant() {
        return Instant.ofEpochMilli(millisOf(maxTick()));
    }

    /** End of the last tick, exclusive, in ms since 1970 UTC. */
    public long endMillis() {
        return millisOf(maxTick()) + tickMillis;
    }

    /**
     * Takes an id apart.
     *
     * @throws IllegalArgumentException if the id is negative or has more bits than this layout
     */
    public DecodedId decode(long id) {
        return IdBits.decode(this, id);
    }

    /**
     * Puts an id together.
     *
     * @throws IllegalArgumentException if a part has more bits than its place
     */
    public long encode(long tick, long worker, long sequence, long shard) {
        return IdBits.encode(this, tick, worker, sequence, shard);
    }

    /**
     * First timestamp in ms since 1970 UTC from which on all ids are above the given one (worker first: all of its
     * worker). It may be {@link #endMillis()}, where there are none.
     *
     * @throws IllegalArgumentException as {@link #decode}
     */
    public long firstTimestampAfter(long id) {
        return decode(id).timestampMillis() + tickMillis;
    }

    /** The full text form, with tick and epoch, that {@link #parse} reads. */
    public String spec() {
        return LayoutSpec.format(this);
    }

    /** As {@link #spec()}. */
    @Override
    public String toString() {
        return spec();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Layout that
                && timestampBits == that.timestampBits
                && workerBits == that.workerBits
                && sequenceBits == that.sequenceBits
                && shardBits == that.shardBits
                && tickMillis == that.tickMillis
                && epochMillis == that.epochMillis
                && workerFirst == that.workerFirst;
    }

    @Override
    public int hashCode() {
        return Objects.hash(timestampBits, workerBits, sequenceBits, shardBits, tickMillis, epochMillis, workerFirst);
    }
}
