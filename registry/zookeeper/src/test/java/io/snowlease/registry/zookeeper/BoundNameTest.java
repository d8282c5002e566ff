package io.snowlease.registry.zookeeper;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.held;
import static io.snowlease.registry.contract.StoreSamples.released;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.snowlease.registry.spi.SlotBound;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundNameTest {
    @Test
    void isReadableAndReadBack() {
        assertThat(BoundName.of(held(7, "a", T))).isEqualTo("001800000000000-0000000007-held");
        assertThat(BoundName.of(released(held(7, "a", T), 5))).isEqualTo("000000000000005-0000000007-free");
        assertThat(BoundName.parse("001800000000000-0000000007-held")).contains(new SlotBound(7, T, false));
        assertThat(BoundName.parse("000000000000005-0000000007-free")).contains(new SlotBound(7, 5, true));
    }

    @Test
    void ordersAsTextLikeTheBounds() {
        assertThat(Stream.of(held(9, "a", 9), held(1, "a", 10), held(12, "a", T), held(3, "a", 10 * T))
                        .map(BoundName::of))
                .isSorted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1-2-held", "001800000000000-0000000007-lost", "001800000000000-9999999999-held"})
    void leavesOtherNamesAside(String name) {
        assertThat(BoundName.parse(name)).isEmpty();
    }

    @Test
    void refusesABoundThatWouldBreakTheOrder() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> BoundName.of(held(7, "a", -1)))
                .withMessage("must be 0-999999999999999 ms since 1970: worker=7, until=-1");
    }
}
