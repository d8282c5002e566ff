package io.snowlease.registry;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.SlotBound;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store that can be away, lose the reply of a write, or hold garbage. */
final class FaultyStore implements LeaseStore {
    private volatile LeaseStore real;
    private final boolean neverUsed;
    volatile boolean away;
    volatile boolean losesBounds;
    volatile boolean losesNextReply;
    volatile boolean losesNextRequest;
    volatile boolean goesAwayInNextWrite;

    /** What the caller has asked for last. */
    volatile Duration longestCall = Duration.ofSeconds(5);

    /** Writes that arrive once the test says so; while it is null, they arrive at once. */
    volatile @Nullable List<Runnable> late;

    /** Between a look at the registry and its arrival. */
    volatile Runnable beforeView = () -> {};

    /** Between a look at the registry and its reply. */
    volatile Runnable onView = () -> {};

    /** Just before a write arrives. */
    volatile Runnable onWrite = () -> {};

    /** Worker whose record is garbage; -1 for none. */
    volatile int malformed = -1;

    FaultyStore(LeaseStore real, boolean neverUsed) {
        this.real = real;
        this.neverUsed = neverUsed;
    }

    /** All data is lost. */
    void restartEmpty(LeaseStore emptied) {
        real = emptied;
    }

    private <T> T call(Supplier<T> operation) {
        if (away) {
            throw new StoreUnavailableException("cut off", null);
        }
        return operation.get();
    }

    @Override
    public String servers() {
        return "test:1";
    }

    @Override
    public void limitCalls(Duration longest) {
        longestCall = longest;
    }

    @Override
    public boolean isNeverUsed() {
        return neverUsed;
    }

    @Override
    public long lagMillis() {
        return 0;
    }

    @Override
    public RegistryView view() {
        beforeView.run();
        RegistryView view = call(() -> real.view());
        onView.run();
        return view;
    }

    @Override
    public boolean create(RegistryRecord record) {
        return call(() -> real.create(record));
    }

    @Override
    public boolean replace(RegistryView seen, RegistryRecord next) {
        return call(() -> {
            if (losesNextRequest) {
                losesNextRequest = false;
                throw new StoreUnavailableException("request lost", null);
            }
            onWrite.run();
            boolean replaced = real.replace(seen, next);
            if (losesNextReply) {
                losesNextReply = false;
                throw new StoreUnavailableException("reply lost", null);
            }
            return replaced;
        });
    }

    @Override
    public List<Integer> workersOf(String node) {
        return call(() -> real.workersOf(node));
    }

    @Override
    public Optional<StoredSlot> nextNeverUsed(RegistryView view) {
        return call(() -> real.nextNeverUsed(view));
    }

    @Override
    public List<SlotBound> bounds(int limit) {
        return call(() -> {
            if (losesBounds) {
                throw new StoreUnavailableException("bounds lost", null);
            }
            return real.bounds(limit);
        });
    }

    @Override
    public StoredSlot read(int worker) {
        return call(() -> {
            if (worker == malformed) {
                throw new MalformedRecordException("slot " + worker + ": must be a JSON object, found nothing", null);
            }
            return real.read(worker);
        });
    }

    @Override
    public WriteResult write(RegistryView plannedOn, StoredSlot expected, SlotRecord next, long beforeMillis) {
        return call(() -> {
            if (losesNextRequest) {
                losesNextRequest = false;
                throw new StoreUnavailableException("request lost", null);
            }
            onWrite.run();
            List<Runnable> onTheWay = late;
            if (onTheWay != null) {
                late = null;
                onTheWay.add(() -> real.write(plannedOn, expected, next, beforeMillis));
                throw new StoreUnavailableException("no answer yet", null);
            }
            WriteResult result = real.write(plannedOn, expected, next, beforeMillis);
            if (goesAwayInNextWrite) {
                goesAwayInNextWrite = false;
                away = true;
                throw new StoreUnavailableException("cut off", null);
            }
            if (losesNextReply) {
                losesNextReply = false;
                throw new StoreUnavailableException("reply lost", null);
            }
            return result;
        });
    }

    @Override
    public List<SlotRecord> list() {
        return call(() -> real.list());
    }

    @Override
    public void close() {
        real.close();
    }
}
