package io.snowlease.generator;

/**
 * Issues 64-bit ids, none of them twice (I1), each greater than those that this generator issued before (I7;
 * worker-first layouts: per lease). Thread-safe; a call waits at most {@code maxWait} and then throws an {@link
 * IdGenerationException}. A call that need not wait succeeds on an interrupted thread too.
 */
public interface IdGenerator extends AutoCloseable {
    /**
     * The next id.
     *
     * @throws IdGenerationException if none could be issued in time
     * @throws IllegalStateException if the layout has shard bits
     */
    long nextId();

    /**
     * The next id, with the low bits of the key at its low end.
     *
     * @throws IdGenerationException if none could be issued in time
     * @throws IllegalStateException if the layout has no shard bits
     */
    long nextId(long shardKey);

    /**
     * Fills the array with ids in increasing order. Ids of one tick are one run of consecutive sequences, claimed at
     * once; where the tick has not enough left, the rest is the next tick's run. Each run may wait {@code maxWait}.
     *
     * @throws IdGenerationException if a run could not be issued in time; what the array holds then must not be used
     * @throws IllegalStateException if the layout has shard bits
     */
    void nextIds(long[] dst);

    /**
     * As {@link #nextIds(long[])}, with the low bits of the key at the low end of each id.
     *
     * @throws IdGenerationException if a run could not be issued in time; what the array holds then must not be used
     * @throws IllegalStateException if the layout has no shard bits
     */
    void nextIds(long[] dst, long shardKey);

    /** How the ids are laid out. */
    Layout layout();

    /** Worker id of the lease in use; changes when another lease takes over. */
    int workerId();

    /**
     * Ends issuing for good before it returns, whatever threads are in flight (I6), and then closes the lease.
     * Idempotent.
     */
    @Override
    void close();
}
