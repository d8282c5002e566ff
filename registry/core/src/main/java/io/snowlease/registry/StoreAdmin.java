package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.SlowAnswerException;
import io.snowlease.registry.spi.StoreAccessException;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@link RegistryAdmin} on a store. */
final class StoreAdmin implements RegistryAdmin {
    /** The first answer after a connection was made is seldom the fastest. */
    private static final int LOOKS = 3;

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final LeaseStore store;
    private final String namespace;
    private final Duration callTimeout;
    private final Clocks clocks;
    private final Duration patience;
    private final Operator operator;

    StoreAdmin(LeaseStore store, String namespace, Duration callTimeout, Clocks clocks) {
        this(store, namespace, callTimeout, callTimeout, clocks);
    }

    /** {@code patience} is how long answers that come too late to tell the time by are asked for again. */
    StoreAdmin(LeaseStore store, String namespace, Duration callTimeout, Duration patience, Clocks clocks) {
        this.patience = patience;
        this.store = store;
        this.namespace = namespace;
        this.callTimeout = callTimeout;
        this.clocks = clocks;
        this.operator = new Operator(store, namespace, clocks, RandomIds::next, LeaseRules::new);
    }

    @Override
    public Optional<RegistryRecord> registry() {
        return Optional.ofNullable(asked(store::view).record());
    }

    @Override
    public List<SlotInfo> slots() {
        RegistryView view = asked(store::view);
        RegistryRecord registry = view.record();
        if (registry == null) {
            throw new RegistryNotFoundException(store.servers(), namespace);
        }
        return asked(() -> slots(registry, view.now()));
    }

    private List<SlotInfo> slots(RegistryRecord registry, long now) {
        return store.list().stream()
                .map(slot -> SlotInfo.of(slot, registry, now))
                .toList();
    }

    @Override
    public long coordinatorMillis() {
        return asked(store::view).now();
    }

    @Override
    public RegistryRecord init(RegistrySettings settings, boolean neverUsed, long floorMillis) {
        RegistryRecord made = asked(() -> planned(settings, neverUsed, floorMillis));
        if (!asked(() -> store.create(made))) {
            refuseIfThere(asked(store::view).record());
            throw new CoordinatorUnavailableException(
                    store.servers(), callTimeout, new IllegalStateException("the registry vanished while it was made"));
        }
        return made;
    }

    /** What is to be made, by clocks that agree. */
    private RegistryRecord planned(RegistrySettings settings, boolean neverUsed, long floorMillis) {
        Look look = Look.at(store, clocks);
        RegistryView view = look.view();
        refuseIfThere(view.record());
        LeaseRules rules = new LeaseRules(settings.layoutOrDefault());
        RegistryRecord made = rules.newRegistry(
                settings,
                RandomIds.next(),
                view.serverIdentity(),
                store.lagMillis(),
                neverUsed || store.isNeverUsed(),
                floorMillis,
                view.now());
        look.requireAgreement(rules, made.skewMillis());
        return made;
    }

    @Override
    public SlotInfo evict(int worker) {
        return asked(() -> operator.evict(worker, null));
    }

    @Override
    public SlotInfo evict(SlotInfo shown) {
        return asked(() -> operator.evict(shown.worker(), shown));
    }

    @Override
    public RegistryRecord quarantine() {
        return asked(operator::quarantine);
    }

    @Override
    public Examination examine() {
        return asked(() -> {
            long start = clocks.monotonicNanos();
            if (store.isBlank()) {
                return new Examination(store.servers(), millisSince(start), null, null, false, false, List.of());
            }
            Look look = Look.at(store, clocks);
            long roundTrip = Long.MAX_VALUE;
            for (int i = 1; i < LOOKS; i++) {
                start = clocks.monotonicNanos();
                Look next = Look.at(store, clocks);
                if (millisSince(start) < roundTrip) {
                    roundTrip = millisSince(start);
                    look = next;
                }
            }
            RegistryView view = look.view();
            RegistryRecord registry = view.record();
            return new Examination(
                    store.servers(),
                    roundTrip,
                    Examination.Clock.of(look),
                    registry,
                    registry != null && !registry.serverIdentity().equals(view.serverIdentity()),
                    registry == null && store.isNeverUsed(),
                    registry == null ? List.of() : slots(registry, view.now()));
        });
    }

    private long millisSince(long startNanos) {
        return TimeUnit.NANOSECONDS.toMillis(clocks.monotonicNanos() - startNanos);
    }

    @Override
    public List<Finding> storeFindings() {
        return store.findings();
    }

    private void refuseIfThere(@Nullable RegistryRecord existing) {
        if (existing != null) {
            throw new RegistryExistsException(namespace, existing);
        }
    }

    private <T> T asked(Supplier<T> call) {
        long start = clocks.monotonicNanos();
        while (true) {
            try {
                return call.get();
            } catch (StoreAccessException e) {
                throw new CoordinatorAccessException(e);
            } catch (SlowAnswerException e) {
                Duration waited = Duration.ofNanos(clocks.monotonicNanos() - start);
                if (waited.compareTo(patience) >= 0) {
                    throw new CoordinatorUnavailableException(store.servers(), waited, e);
                }
                pause();
            } catch (StoreUnavailableException e) {
                throw new CoordinatorUnavailableException(store.servers(), callTimeout, e);
            }
        }
    }

    private void pause() {
        clocks.parkNanos(PAUSE.toNanos());
        if (Thread.currentThread().isInterrupted()) {
            throw new RegistryInterruptedException("while waiting for coordinator " + store.servers());
        }
    }

    @Override
    public String servers() {
        return store.servers();
    }

    @Override
    public void close() {
        store.close();
    }
}
