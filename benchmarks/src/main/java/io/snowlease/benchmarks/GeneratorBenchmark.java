package io.snowlease.benchmarks;

import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.SnowflakeGenerator;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SnowflakeIdGenerator;
import org.agrona.concurrent.SystemEpochClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Ids per ms of one generator that all threads share. With 12 sequence bits the tick is the limit, and what counts is
 * how soon its change is noticed; with 20 bits the generator itself is.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class GeneratorBenchmark {
    private static final long OFFSET_MILLIS = Layout.DEFAULT_EPOCH_MILLIS;

    private final IdGenerator classic = snowlease(Layout.CLASSIC);
    private final IdGenerator wide = snowlease(Layout.parse("41/2/20"));
    private final SnowflakeIdGenerator agronaClassic = agrona(10, 12);
    private final SnowflakeIdGenerator agronaWide = agrona(2, 20);

    /** 12 sequence bits. */
    @Benchmark
    public long classic() {
        return classic.nextId();
    }

    /** 12 sequence bits, the peer. */
    @Benchmark
    public long classicAgrona() {
        return agronaClassic.nextId();
    }

    /** 20 sequence bits. */
    @Benchmark
    public long wide() {
        return wide.nextId();
    }

    /** 20 sequence bits, the peer. */
    @Benchmark
    public long wideAgrona() {
        return agronaWide.nextId();
    }

    private static IdGenerator snowlease(Layout layout) {
        // The peer waits for the next tick without end.
        return SnowflakeGenerator.builder(layout)
                .maxWait(Duration.ofSeconds(10))
                .lease(new EndlessLease())
                .build();
    }

    private static SnowflakeIdGenerator agrona(int nodeIdBits, int sequenceBits) {
        return new SnowflakeIdGenerator(nodeIdBits, sequenceBits, 1, OFFSET_MILLIS, SystemEpochClock.INSTANCE);
    }
}
