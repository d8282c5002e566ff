package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.snowlease.registry.memory.MemoryStore;
import io.snowlease.registry.protocol.RegistrySettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A coordinator whose answers take longer than S = 1 s: its time can't be compared with this node's. */
class SlowAnswerTest {
    private static final RegistrySettings SECOND =
            new RegistrySettings(null, Duration.ofSeconds(60), Duration.ofSeconds(1), null);

    private final ManualClocks clocks = new ManualClocks();
    private final MemoryStore heap = new MemoryStore(clocks);
    private final FaultyStore store = new FaultyStore(heap.another(), false);
    private final StoreAdmin admin = new StoreAdmin(store, "orders", Duration.ofSeconds(90), clocks);
    private int answers;

    private void slowFor(int count) {
        store.onView = () -> {
            if (answers++ < count) {
                clocks.advanceMillis(3_500);
            }
        };
    }

    @Test
    void initAsksAgainWhenTheFirstAnswersAreTooSlow() {
        slowFor(2);

        assertThat(admin.init(SECOND, true, 0)).isEqualTo(heap.view().record());

        assertThat(answers).isEqualTo(3);
    }

    @Test
    void initSaysHowSlowItWasAndHowLongItTried() {
        slowFor(Integer.MAX_VALUE);

        assertThatExceptionOfType(CoordinatorUnavailableException.class)
                .isThrownBy(() -> admin.init(SECOND, true, 0))
                .withMessage("coordinator test:1 answers too slowly, tried for 93500 ms (an answer took 3500 ms, too"
                        + " long to tell whether the clocks agree within 1000 ms): see what slows it or the network down,"
                        + " or state a larger S (maxSkew, --max-skew) where the registry is not made yet");
        assertThat(heap.view().record()).isNull();
    }

    @Test
    void anOperatorsQuarantineAsksAgainToo() {
        admin.init(SECOND, true, 0);
        answers = 0;
        slowFor(1);

        assertThat(admin.quarantine().quarantineUntil()).isGreaterThan(clocks.wallMillis());
    }
}
