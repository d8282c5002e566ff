package io.snowlease.generator;

/** Stand-in. */
public interface IdGenerator extends AutoCloseable {
    /** Next id. */
    long nextId();

    /** Next id of a shard key. */
    long nextId(long shardKey);

    /** Fills dst. */
    void nextIds(long[] dst);

    /** Fills dst. */
    void nextIds(long[] dst, long shardKey);

    /** Layout. */
    Layout layout();

    /** Worker id of the current lease. */
    int workerId();

    @Override
    void close();
}
