package io.snowlease.admin.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConvertersTest {
    @ParameterizedTest
    @CsvSource({
        "0s, PT0S",
        "500ms, PT0.5S",
        "60s, PT60S",
        "60S, PT60S",
        "1m, PT1M",
        "1min, PT1M",
        "2h, PT2H",
        "1d, PT24H",
        "PT60S, PT60S",
        "pt0.5s, PT0.5S"
    })
    void readsDurations(String text, Duration duration) {
        assertThat(Converters.duration(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "60", "s", "-1s", "1.5s", "PT-1S", "1 s", "1week"})
    void refusesWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> Converters.duration(text))
                .hasMessage("must be a duration such as 500ms, 60s, 1m, 2h or PT60S: " + text);
    }
}
