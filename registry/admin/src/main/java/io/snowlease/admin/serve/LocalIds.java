package io.snowlease.admin.serve;

import io.snowlease.admin.http.NoCoordinatorException;
import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.registry.SlotInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Ids on a worker id that no coordinator vouches for. Time can help with a clock that is behind the journal's bound. */
public final class LocalIds implements IdOrigin {
    private final Layout layout;
    private final String source;
    private final Supplier<IdGenerator> opener;

    /**
     * Still to be opened.
     *
     * @param source where the worker id comes from, for people
     * @param opener opens the generator, with a {@code maxWait} of 0
     */
    public LocalIds(Layout layout, String source, Supplier<IdGenerator> opener) {
        this.layout = layout;
        this.source = source;
        this.opener = opener;
    }

    @Override
    public IdGenerator open(Patience patience) throws InterruptedException {
        IdGenerator generator = opener.get();
        boolean ready = false;
        try {
            awaitFirstId(generator, patience);
            ready = true;
        } finally {
            if (!ready) {
                generator.close();
            }
        }
        return generator;
    }

    private void awaitFirstId(IdGenerator generator, Patience patience) throws InterruptedException {
        while (true) {
            try {
                if (layout.shardBits() == 0) {
                    generator.nextId();
                } else {
                    generator.nextId(0);
                }
                return;
            } catch (IdGenerationException e) {
                if (e.retryAfterMillis() < 0) {
                    throw e;
                }
                patience.await(e.retryAfterMillis(), e, "");
            }
        }
    }

    @Override
    public Optional<Layout> layout() {
        return Optional.of(layout);
    }

    @Override
    public List<SlotInfo> slots() {
        throw new NoCoordinatorException(source);
    }

    /** Nothing is left to do: the generator closes its journal. */
    @Override
    public void close() {}
}
