package io.snowlease.registry.redis;

import io.snowlease.registry.spi.Candidates;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.SlotBound;
import io.snowlease.registry.spi.StoredSlot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one script has found for one round of a claim. Each answer of it is given once; what is asked again, or was left
 * out because something earlier would do, is asked of the server. Confined to one thread.
 */
final class ClaimLook implements Candidates {
    private final RedisStore store;
    private final RegistryView view;
    private final List<Integer> own = new ArrayList<>();
    private final Map<Integer, String> records = new HashMap<>();
    private Optional<StoredSlot> neverUsed = Optional.empty();
    private boolean knowsNeverUsed;
    private @Nullable List<SlotBound> bounds;

    /** {@code reply} is what the script candidates.lua returns. */
    ClaimLook(RedisStore store, RegistryView view, List<?> reply) {
        this.store = store;
        this.view = view;
        List<?> mine = (List<?>) reply.get(0);
        for (int i = 0; i < mine.size(); i += 2) {
            own.add(Integer.valueOf((String) mine.get(i)));
        }
        putAll(mine);
        String offered = (String) reply.get(1);
        if (!offered.isEmpty()) {
            neverUsed = Optional.of(new StoredSlot(Integer.parseInt(offered), null, RedisStore.NEVER_LEASED));
            knowsNeverUsed = true;
            return;
        }
        List<SlotBound> index = BoundEntries.parse((List<?>) reply.get(2));
        if (!index.isEmpty()) {
            knowsNeverUsed = true;
            bounds = index;
            putAll((List<?>) reply.get(3));
        }
    }

    private void putAll(List<?> workersAndRecords) {
        for (int i = 0; i + 1 < workersAndRecords.size(); i += 2) {
            records.put(Integer.valueOf((String) workersAndRecords.get(i)), (String) workersAndRecords.get(i + 1));
        }
    }

    @Override
    public List<Integer> own() {
        return own;
    }

    @Override
    public Optional<StoredSlot> nextNeverUsed() {
        boolean isKnown = knowsNeverUsed;
        knowsNeverUsed = false;
        return isKnown ? neverUsed : store.nextNeverUsed(view);
    }

    @Override
    public List<SlotBound> bounds(int limit) {
        List<SlotBound> found = bounds;
        bounds = null;
        return found == null ? store.bounds(limit) : found.subList(0, Math.min(limit, found.size()));
    }

    @Override
    public StoredSlot read(int worker) {
        String json = records.remove(worker);
        return json == null ? store.read(worker) : store.slot(worker, json);
    }
}
