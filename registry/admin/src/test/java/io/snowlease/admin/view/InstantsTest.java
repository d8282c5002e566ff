package io.snowlease.admin.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstantsTest {
    @Test
    void alwaysShowsMilliseconds() {
        assertThat(Instants.iso(0)).isEqualTo("1970-01-01T00:00:00.000Z");
        assertThat(Instants.iso(1_767_323_045_678L)).isEqualTo("2026-01-02T03:04:05.678Z");
    }

    @ParameterizedTest
    @CsvSource({
        "0, now",
        "999, now",
        "-999, now",
        "1000, in 1 s",
        "-1999, 1 s ago",
        "119999, in 119 s",
        "120000, in 2 min",
        "-7199999, 119 min ago",
        "7200000, in 2 h",
        "172800000, in 2 d",
    })
    void saysHowFarAwayATimeIs(long distance, String text) {
        assertThat(Instants.relative(1_000_000_000 + distance, 1_000_000_000)).isEqualTo(text);
    }
}
