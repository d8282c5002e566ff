package io.snowlease.registry.memory;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static io.snowlease.registry.contract.StoreSamples.recordOf;
import static io.snowlease.registry.contract.StoreSamples.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.contract.LeaseStoreContract;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreProvider;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.net.URI;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends LeaseStoreContract {
    @Override
    protected LeaseStore open(String namespace) {
        return new MemoryStoreProvider().open(URI.create("memory:/"), namespace, StoreOptions.DEFAULTS);
    }

    @Test
    void tellsTheInjectedTime() {
        AtomicLong wall = new AtomicLong(T);
        MemoryStore injected = new MemoryStore(new SteppedClocks(wall));

        wall.set(T + 7);

        assertThat(injected.view().now()).isEqualTo(T + 7);
    }

    @Test
    void refusesAWriteAtItsTimeLimit() {
        AtomicLong wall = new AtomicLong(T);
        MemoryStore injected = new MemoryStore(new SteppedClocks(wall));
        RegistryView view = makeRegistry(injected, 0, 3);
        StoredSlot slot = claimNew(injected, view, "a", T + 100);

        wall.set(T + 100);
        assertThat(injected.write(view, slot, renewed(recordOf(slot), T + 200), T + 100))
                .isEqualTo(WriteResult.TOO_LATE);
        wall.set(T + 99);
        assertThat(injected.write(view, slot, renewed(recordOf(slot), T + 200), T + 100))
                .isEqualTo(WriteResult.WRITTEN);
    }

    @Test
    void refusesAWritePlannedOnAnotherServer() {
        MemoryStore injected = new MemoryStore(Clocks.system());
        RegistryView view = makeRegistry(injected, 0, 3);
        StoredSlot slot = claimNew(injected, view, "a", T + 100);
        RegistryView elsewhere = new RegistryView(view.record(), view.now(), "elsewhere", view.stamp());

        assertThat(injected.write(elsewhere, slot, renewed(recordOf(slot), T + 200), Long.MAX_VALUE))
                .isEqualTo(WriteResult.REGISTRY_CHANGED);
    }

    @Test
    void sharesOneHeapPerNameAndNamespace() {
        LeaseStore one = open("memory:shared", "orders");
        makeRegistry(one, 0, 3);

        assertThat(open("memory:shared", "orders").view().record()).isNotNull();
        assertThat(open("memory:shared", "payments").view().record()).isNull();
        assertThat(open("memory:other", "orders").view().record()).isNull();
    }

    @Test
    void isFoundByItsScheme() {
        assertThat(ServiceLoader.load(StoreProvider.class))
                .anySatisfy(provider -> assertThat(provider.schemes()).containsExactly("memory"));
    }

    @Test
    void refusesAMalformedUri() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> open("memory://host/x", "orders"))
                .withMessage("must be memory: or memory:name: uri=memory://host/x");
    }

    private static LeaseStore open(String uri, String namespace) {
        return new MemoryStoreProvider().open(URI.create(uri), namespace, StoreOptions.DEFAULTS);
    }

    private record SteppedClocks(AtomicLong wall) implements Clocks {
        @Override
        public long wallMillis() {
            return wall.get();
        }

        @Override
        public long monotonicNanos() {
            return 0;
        }

        @Override
        public void parkNanos(long nanos) {}
    }
}
