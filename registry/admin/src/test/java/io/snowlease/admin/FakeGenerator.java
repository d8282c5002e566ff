package io.snowlease.admin;

import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts from 1, and refuses as it is told to. */
public final class FakeGenerator implements IdGenerator {
    private final Layout layout;
    private final AtomicLong last = new AtomicLong();
    private final Queue<IdGenerationException> refusals = new ConcurrentLinkedQueue<>();
    private volatile @Nullable IdGenerationException always;
    private volatile boolean closed;

    public FakeGenerator(Layout layout) {
        this.layout = layout;
    }

    /** Refuses one call more. */
    public void refuseOnce(IdGenerationException refusal) {
        refusals.add(refusal);
    }

    /** Refuses all calls; null for none. */
    public void refuseAlways(@Nullable IdGenerationException refusal) {
        always = refusal;
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public long nextId() {
        IdGenerationException refusal = always;
        if (refusal == null) {
            refusal = refusals.poll();
        }
        if (refusal != null) {
            throw refusal;
        }
        return last.incrementAndGet();
    }

    @Override
    public long nextId(long shardKey) {
        return (nextId() << layout.shardBits()) | (shardKey & ((1L << layout.shardBits()) - 1));
    }

    @Override
    public void nextIds(long[] dst) {
        for (int i = 0; i < dst.length; i++) {
            dst[i] = nextId();
        }
    }

    @Override
    public void nextIds(long[] dst, long shardKey) {
        for (int i = 0; i < dst.length; i++) {
            dst[i] = nextId(shardKey);
        }
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public int workerId() {
        return 3;
    }

    @Override
    public void close() {
        closed = true;
    }
}
