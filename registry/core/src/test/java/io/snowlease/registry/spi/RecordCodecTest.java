package io.snowlease.registry.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RecordCodecTest {
    private static final String SLOT =
            "{\"worker\":7,\"epoch\":3,\"node\":\"orders-1\",\"token\":\"secret\",\"state\":\"HELD\",\"floor\":10,"
                    + "\"until\":20,\"last\":15,\"claimedAt\":11,\"renewedAt\":12}";
    private static final String REGISTRY =
            "{\"registryId\":\"r\",\"layout\":\"l\",\"leaseMillis\":1,\"skewMillis\":2,\"lagMillis\":3,"
                    + "\"firstWorker\":4,\"lastWorker\":5,\"createdAt\":6,\"serverIdentity\":\"s\","
                    + "\"quarantineUntil\":7,\"floor\":8}";

    @Test
    void writesASlotCompactlyInTheOrderOfItsFields() {
        assertThat(RecordCodec.toJson(new SlotRecord(7, 3, "orders-1", "secret", SlotState.HELD, 10, 20, 15, 11, 12)))
                .isEqualTo(SLOT);
    }

    @Test
    void writesARegistryCompactlyInTheOrderOfItsFields() {
        RegistryRecord registry = new RegistryRecord("r", "l", 1, 2, 3, 4, 5, 6, "s", 7, 8);

        assertThat(RecordCodec.toJson(registry)).isEqualTo(REGISTRY);
        assertThat(RecordCodec.registry(REGISTRY, "here")).isEqualTo(registry);
    }

    @ParameterizedTest
    @EnumSource(SlotState.class)
    void readsWhatItWrote(SlotState state) {
        SlotRecord slot = new SlotRecord(
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                "a/b \"c\"\u2026\u00fc\n\ud83d\ude80",
                "",
                state,
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                -1,
                0,
                1);

        assertThat(RecordCodec.slot(RecordCodec.toJson(slot), "here")).isEqualTo(slot);
    }

    @Test
    void leavesUnknownFieldsAside() {
        assertThat(RecordCodec.slot(SLOT.replace("}", ",\"later\":{\"x\":[1]}}"), "here"))
                .isEqualTo(RecordCodec.slot(SLOT, "here"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"until\":20,       |                 | slot 7: field 'until' must be a 64-bit integer, found nothing",
                "\"until\":20        | \"until\":\"20\" | slot 7: field 'until' must be a 64-bit integer, found string",
                "\"until\":20        | \"until\":20.5  | slot 7: field 'until' must be a 64-bit integer, found number 20.5",
                "\"until\":20        | \"until\":9223372036854775808 | slot 7: field 'until' must be a 64-bit integer, found number 9223372036854775808",
                "\"until\":20        | \"until\":null  | slot 7: field 'until' must be a 64-bit integer, found null",
                "\"token\":\"secret\" | \"token\":5     | slot 7: field 'token' must be a string, found number 5",
                "\"worker\":7        | \"worker\":-1   | slot 7: field 'worker' must be an integer >= 0, found number -1",
                "HELD                | held            | slot 7: field 'state' must be one of [HELD, RELEASED, EVICTED]: held",
            })
    void namesThePlaceAndTheFieldThatIsWrong(String what, String instead, String message) {
        String json = SLOT.replace(what, instead == null ? "" : instead);

        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(() -> RecordCodec.slot(json, "slot 7"))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``      | registry: must be a JSON object, found nothing",
                "[1]     | registry: must be a JSON object, found array",
                "{\"a\": | registry: must be a JSON object, found text that is no JSON",
                "{} {}   | registry: must be a JSON object, found text that is no JSON",
                "{\"a\":1,\"a\":2} | registry: must be a JSON object, found text that is no JSON",
                "{}      | registry: field 'registryId' must be a string, found nothing",
            })
    void doesNotGuessAtGarbage(String json, String message) {
        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(() -> RecordCodec.registry(json, "registry"))
                .withMessage(message);
    }
}
