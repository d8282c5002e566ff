package io.snowlease.generator;

/** Takes ids apart and puts them together. */
final class IdBits {
    private IdBits() {}

    static DecodedId decode(Layout layout, long id) {
        requireId(layout, id);
        long tick = low(id >>> tickShift(layout), layout.timestampBits());
        return new DecodedId(
                id,
                layout.millisOf(tick),
                (int) low(id >>> workerShift(layout), layout.workerBits()),
                (int) low(id >>> layout.shardBits(), layout.sequenceBits()),
                (int) low(id, layout.shardBits()));
    }

    static long encode(Layout layout, long tick, long worker, long sequence, long shard) {
        requireFits("tick", tick, layout.timestampBits());
        requireFits("worker", worker, layout.workerBits());
        requireFits("sequence", sequence, layout.sequenceBits());
        requireFits("shard", shard, layout.shardBits());
        return tick << tickShift(layout) | worker << workerShift(layout) | sequence << layout.shardBits() | shard;
    }

    static int tickShift(Layout layout) {
        return layout.shardBits() + layout.sequenceBits() + (layout.workerFirst() ? 0 : layout.workerBits());
    }

    static int workerShift(Layout layout) {
        return layout.shardBits() + layout.sequenceBits() + (layout.workerFirst() ? layout.timestampBits() : 0);
    }

    static void requireId(Layout layout, long id) {
        if (id < 0) {
            throw new IllegalArgumentException("id must not be negative: id=" + id);
        }
        if (id >>> layout.idBits() != 0) {
            throw new IllegalArgumentException("id must be at most " + ((1L << layout.idBits()) - 1)
                    + ", the largest of the layout " + layout + ": id=" + id);
        }
    }

    static void requireFits(String name, long value, int bits) {
        long max = (1L << bits) - 1;
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(
                    name + " must be 0 to " + max + " (" + bits + " bits): " + name + "=" + value);
        }
    }

    private static long low(long value, int bits) {
        return value & ((1L << bits) - 1);
    }
}
