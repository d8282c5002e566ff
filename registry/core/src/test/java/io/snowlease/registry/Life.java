package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.journal.Journal;
import io.snowlease.generator.journal.ManualJournal;
import io.snowlease.registry.memory.MemoryStore;
import io.snowlease.registry.protocol.RegistrySettings;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The life of one process over a heap, with time, disk, keeper and the journal's thread moved by the test. */
final class Life {
    final FaultyStore store;
    final LeasingRegistry registry;
    private final ManualClocks clocks;
    private final Set<Long> all;
    private final @Nullable Journal journal;
    private @Nullable IdGenerator ids;

    /**
     * Connects.
     *
     * @param all every id that was issued in the test
     * @param disk where it keeps its journal; null for none
     * @param neverUsed what the store says of a namespace without a registry
     */
    Life(
            ManualClocks clocks,
            Set<Long> all,
            MemoryStore coordinator,
            boolean away,
            @Nullable ManualJournal disk,
            String node,
            boolean neverUsed,
            RegistrySettings settings,
            Duration startTimeout) {
        this.clocks = clocks;
        this.all = all;
        store = new FaultyStore(coordinator.another(), neverUsed);
        store.away = away;
        journal = disk == null ? null : disk.open(clocks);
        registry = LeasingRegistry.open(
                store,
                journal == null ? LeaseJournal.NONE : new FileLeaseJournal(journal, "orders"),
                new LeasingRegistry.Config("orders", node, settings, startTimeout, status -> {}, clocks));
    }

    Life start() {
        ids = registry.newGenerator(options -> options.maxWait(Duration.ZERO));
        return this;
    }

    Journal journal() {
        return Objects.requireNonNull(journal);
    }

    IdGenerator ids() {
        return Objects.requireNonNull(ids);
    }

    /** An id, whoever else has issued it. */
    long raw() {
        if (journal != null) {
            ManualJournal.look(journal);
        }
        return ids().nextId();
    }

    /** An id that nobody has issued. */
    long next() {
        long id = raw();
        assertThat(all.add(id)).as("issued once: " + id).isTrue();
        return id;
    }

    void keep() {
        clocks.advanceMillis(1);
        registry.keeper().lock().lock();
        try {
            registry.keeper().runDue();
        } finally {
            registry.keeper().lock().unlock();
        }
    }

    /** Issues one id every half second; returns the last. */
    long run(int seconds) {
        long last = -1;
        for (int i = 0; i < 2 * seconds; i++) {
            clocks.advanceMillis(500);
            keep();
            last = next();
        }
        return last;
    }
}
