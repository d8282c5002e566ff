package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.snowlease.registry.memory.MemoryStore;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.protocol.WorkerRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker id that is granted to a call that nobody waits for any more: D = 60 s, S = 5 s, two worker ids. */
class GivenUpClaimTest {
    private static final RegistrySettings TWO = new RegistrySettings(null, null, null, new WorkerRange(0, 1));

    private final ManualClocks clocks = new ManualClocks();
    private final MemoryStore heap = new MemoryStore(clocks);
    private final FaultyStore store = new FaultyStore(heap.another(), true);
    private final LeasingRegistry registry = open(store, Duration.ZERO);

    private LeasingRegistry open(FaultyStore on, Duration startTimeout) {
        return LeasingRegistry.open(
                on,
                LeaseJournal.NONE,
                new LeasingRegistry.Config("orders", "a", TWO, startTimeout, status -> {}, clocks));
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private void giveUp() {
        assertThatExceptionOfType(CoordinatorUnavailableException.class).isThrownBy(registry::newGenerator);
        store.away = false;
    }

    private void keep() {
        registry.keeper().lock().lock();
        try {
            registry.keeper().runDue();
        } finally {
            registry.keeper().lock().unlock();
        }
    }

    private SlotRecord slot() {
        return Objects.requireNonNull(heap.read(0).record());
    }

    @Test
    void isGivenBackWhenTheRegistryIsClosed() {
        store.goesAwayInNextWrite = true;
        giveUp();
        assertThat(slot().state()).isEqualTo(SlotState.HELD);

        registry.close();

        assertThat(slot().state()).isEqualTo(SlotState.RELEASED);
    }

    @Test
    void isGivenBackByAThreadThatIsInterrupted() {
        store.goesAwayInNextWrite = true;
        giveUp();

        Thread.currentThread().interrupt();
        registry.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(slot().state()).isEqualTo(SlotState.RELEASED);
    }

    @Test
    void isGivenBackByTheKeeperThatHasNoOtherLease() {
        store.goesAwayInNextWrite = true;
        giveUp();

        keep();

        assertThat(slot().state()).isEqualTo(SlotState.RELEASED);
    }

    @Test
    void isGivenBackBeforeTheNextClaim() {
        store.goesAwayInNextWrite = true;
        giveUp();

        assertThat(registry.newGenerator().workerId()).isZero();

        assertThat(heap.list()).hasSize(1);
    }

    @Test
    void thatIsGrantedLateFindsItsSlotChanged() {
        List<Runnable> late = new ArrayList<>();
        store.late = late;
        giveUp();
        keep();
        assertThat(slot().state()).isEqualTo(SlotState.RELEASED);
        long until = slot().until();

        late.forEach(Runnable::run);

        assertThat(slot().state()).isEqualTo(SlotState.RELEASED);
        assertThat(slot().until()).isEqualTo(until);
    }

    @Test
    void staysHeldUntilItExpiresWhileTheCoordinatorIsAway() {
        store.goesAwayInNextWrite = true;
        assertThatExceptionOfType(CoordinatorUnavailableException.class).isThrownBy(registry::newGenerator);

        registry.close();

        assertThat(slot().state()).isEqualTo(SlotState.HELD);
    }

    /** A start that may not wait for long does not leave its renewals, and its release, as little time. */
    @Test
    void boundsTheCallsOfTheStartAlone() {
        FaultyStore hasty = new FaultyStore(heap.another(), true);
        List<Duration> limits = new ArrayList<>();
        hasty.onView = () -> limits.add(hasty.longestCall);

        try (LeasingRegistry started = open(hasty, Duration.ofMillis(3))) {
            started.newGenerator().close();
        }

        assertThat(limits).containsExactly(Duration.ofMillis(3), Duration.ofMillis(3), Duration.ofDays(1));
    }
}
