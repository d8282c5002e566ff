package io.snowlease.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class IdFormatTest {
    private static final String CLASSIC = "41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z";

    @ParameterizedTest
    @CsvSource({
        "decimal,     253183340713111594,        0,           9223372036854775807",
        "base62,      0Iha6h1Iqa2,               00000000000, AzL8n0Y58m7",
        "crockford32, 070VWX0Q40W1A,             0000000000000, 7ZZZZZZZZZZZZ",
        "readable,    20261130T154012.345Z-7-42, 20250101T000000.000Z-0-0, 20940907T154735.551Z-1023-4095",
    })
    void writesAndReadsIdsOfTheClassicLayout(String name, String text, String smallest, String largest) {
        IdFormat format = IdFormat.named(name);

        assertThat(format.format(253183340713111594L, Layout.CLASSIC)).isEqualTo(text);
        assertThat(format.format(0, Layout.CLASSIC)).isEqualTo(smallest);
        assertThat(format.format(Long.MAX_VALUE, Layout.CLASSIC)).isEqualTo(largest);
        assertThat(format.parse(text, Layout.CLASSIC)).isEqualTo(253183340713111594L);
        assertThat(format.parse(smallest, Layout.CLASSIC)).isZero();
        assertThat(format.parse(largest, Layout.CLASSIC)).isEqualTo(Long.MAX_VALUE);
        assertThat(IdFormat.parseAny(text, Layout.CLASSIC)).isEqualTo(253183340713111594L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    sharded;                                              5; 9; 77; 3; 20250101T000005.000Z-9-77-3
                    worker-first;                                         5; 9; 77; 0; 20250101T000000.005Z-9-77
                    40/10/12,tick=10ms;                                   5; 9; 77; 0; 20250101T000000.050Z-9-77
                    40/10/12,tick=10ms,epoch=2025-01-01T00:00:00.003Z;    5; 9; 77; 0; 20250101T000000.053Z-9-77
                    31/10/22,tick=1s,epoch=2010-11-04T01:42:54.657Z;      5; 9; 77; 0; 20101104T014259.657Z-9-77
                    31/10/12,tick=60000ms,epoch=1970-01-01T00:00:00.001Z; 5; 9; 77; 0; 19700101T000500.001Z-9-77
                    61/1/1,epoch=1970-01-01T00:00:00Z;  253402300800000; 1; 0; 0; 100000101T000000.000Z-1-0
                    61/1/1,epoch=1970-01-01T00:00:00Z; 2305843009213693951; 1; 1; 0; 730712260226T194813.951Z-1-1
                    """)
    void writesTimesExactlyWhateverTheTickAndTheEpoch(
            String layoutText, long tick, long worker, long sequence, long shard, String text) {
        Layout layout = Layout.parse(layoutText);
        long id = layout.encode(tick, worker, sequence, shard);

        assertThat(IdFormat.READABLE.format(id, layout)).isEqualTo(text);
        assertThat(IdFormat.READABLE.parse(text, layout)).isEqualTo(id);
        assertThat(IdFormat.parseAny(text, layout)).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({
        "0,                         decimal",
        "12345678901,               decimal",
        "1234567890123,             decimal",
        "007,                       decimal",
        "-1,                        decimal",
        "0Iha6h1Iqa2,               base62",
        "zzzzzzzzzzz,               base62",
        "20261130TZZ,               base62",
        "070VWX0Q40W1A,             crockford32",
        "070v-wx0q-40w1-a,          crockford32",
        "0000-0000-0000-1,          crockford32",
        "zzzzzzzzzzzzz,             crockford32",
        "20261130T154012.345Z-7-42, readable",
        "1.5,                       readable",
    })
    void tellsTheFormByDigitsThenByPointThenByLength(String text, String name) {
        assertThat(IdFormat.detect(text)).hasToString(name);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', textBlock = """
                    00000000005;   the format must be named for 11 digits with a leading zero, which are decimal or base62: id=00000000005
                    0701234567890; the format must be named for 13 digits with a leading zero, which are decimal or crockford32: id=0701234567890
                    "";            an id must be decimal digits, 11 letters and digits (base62), 13 letters and digits without U (crockford32), or readable, such as 20261130T154012.345Z-7-42: id=
                    0Iha6h1Iqa;    an id must be decimal digits, 11 letters and digits (base62), 13 letters and digits without U (crockford32), or readable, such as 20261130T154012.345Z-7-42: id=0Iha6h1Iqa
                    070VWX0Q40W1U; an id must be decimal digits, 11 letters and digits (base62), 13 letters and digits without U (crockford32), or readable, such as 20261130T154012.345Z-7-42: id=070VWX0Q40W1U
                    +5;            an id must be decimal digits, 11 letters and digits (base62), 13 letters and digits without U (crockford32), or readable, such as 20261130T154012.345Z-7-42: id=+5
                    ٣;             an id must be decimal digits, 11 letters and digits (base62), 13 letters and digits without U (crockford32), or readable, such as 20261130T154012.345Z-7-42: id=٣
                    """)
    void doesNotGuess(String text, String message) {
        assertThatThrownBy(() -> IdFormat.parseAny(text, Layout.CLASSIC))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage(message);
    }

    @Test
    void readsDigitsInTheFormThatIsNamed() {
        assertThat(IdFormat.DECIMAL.parse("00000000010", Layout.CLASSIC)).isEqualTo(10);
        assertThat(IdFormat.BASE62.parse("00000000010", Layout.CLASSIC)).isEqualTo(62);
        assertThat(IdFormat.CROCKFORD32.parse("0000000000010", Layout.CLASSIC)).isEqualTo(32);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', textBlock = """
                    decimal;     12a;                 a decimal id must be decimal digits only: id=12a
                    decimal;     "";                  a decimal id must be decimal digits only: id=
                    decimal;     9223372036854775808; a decimal id must be at most 9223372036854775807: id=9223372036854775808
                    base62;      0Iha6h1Iqa-;         a base62 id must be 11 characters of 0-9, A-Z and a-z: id=0Iha6h1Iqa-
                    base62;      5;                   a base62 id must be 11 characters of 0-9, A-Z and a-z: id=5
                    base62;      AzL8n0Y58m8;         a base62 id must be at most AzL8n0Y58m7, 2^63 - 1: id=AzL8n0Y58m8
                    base62;      zzzzzzzzzzz;         a base62 id must be at most AzL8n0Y58m7, 2^63 - 1: id=zzzzzzzzzzz
                    crockford32; 070VWX0Q40W1;        a crockford32 id must be 13 characters of 0-9 and A-Z without U, single hyphens between them allowed: id=070VWX0Q40W1
                    crockford32; 070VWX0Q40W1U;       a crockford32 id must be 13 characters of 0-9 and A-Z without U, single hyphens between them allowed: id=070VWX0Q40W1U
                    crockford32; -070VWX0Q40W1A;      a crockford32 id must be 13 characters of 0-9 and A-Z without U, single hyphens between them allowed: id=-070VWX0Q40W1A
                    crockford32; 070V--WX0Q40W1A;     a crockford32 id must be 13 characters of 0-9 and A-Z without U, single hyphens between them allowed: id=070V--WX0Q40W1A
                    crockford32; 8000-000000000;      a crockford32 id must be at most 7ZZZZZZZZZZZZ, 2^63 - 1: id=8000-000000000
                    readable;    20261130T154012Z-7-42;        a readable id of the layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z must be time, worker and sequence, such as 20261130T154012.345Z-7-42: id=20261130T154012Z-7-42
                    readable;    020261130T154012.345Z-7-42;   a readable id of the layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z must be time, worker and sequence, such as 20261130T154012.345Z-7-42: id=020261130T154012.345Z-7-42
                    readable;    20261130T154012.345Z-7-42-5;  a readable id of the layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z must be time, worker and sequence, such as 20261130T154012.345Z-7-42: id=20261130T154012.345Z-7-42-5
                    readable;    20261130T154012.345Z--7-42;   a readable id of the layout 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z must be time, worker and sequence, such as 20261130T154012.345Z-7-42: id=20261130T154012.345Z--7-42
                    readable;    20260230T000000.000Z-7-42;    the time of a readable id must be one that the calendar has: id=20260230T000000.000Z-7-42
                    readable;    20260228T240000.000Z-7-42;    the time of a readable id must be one that the calendar has: id=20260228T240000.000Z-7-42
                    """)
    void refusesWhatIsNotInTheForm(String name, String text, String message) {
        assertThatThrownBy(() -> IdFormat.named(name).parse(text, Layout.CLASSIC))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    -1;                         id must not be negative: id=-1
                    -9223372036854775809;       id must not be negative: id=-9223372036854775809
                    20241231T235959.999Z-7-42;  time must be 20250101T000000.000Z to 20940907T154735.551Z, the first and last of the layout LAYOUT: time=20241231T235959.999Z
                    20940907T154735.552Z-7-42;  time must be 20250101T000000.000Z to 20940907T154735.551Z, the first and last of the layout LAYOUT: time=20940907T154735.552Z
                    9999999991231T235959.999Z-7-42; time must be 20250101T000000.000Z to 20940907T154735.551Z, the first and last of the layout LAYOUT: time=9999999991231T235959.999Z
                    00000101T000000.000Z-7-42;  time must be 20250101T000000.000Z to 20940907T154735.551Z, the first and last of the layout LAYOUT: time=00000101T000000.000Z
                    20261130T154012.345Z-1024-42; worker must be 0 to 1023 (10 bits): worker=1024
                    20261130T154012.345Z-7-4096; sequence must be 0 to 4095 (12 bits): sequence=4096
                    20261130T154012.345Z-7-999999999999999999; sequence must be 0 to 4095 (12 bits): sequence=999999999999999999
                    """)
    void refusesWhatTheLayoutDoesNotHave(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdFormat.parseAny(text, Layout.CLASSIC))
                .withMessage(message.replace("LAYOUT", CLASSIC))
                .isNotInstanceOf(NumberFormatException.class);
    }

    @Test
    void refusesTimesBetweenTheTicks() {
        Layout leafInSeconds = Layout.parse("31/10/22,tick=1s,epoch=2010-11-04T01:42:54.657Z");
        Layout tens = Layout.parse("40/10/12,tick=10ms");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdFormat.READABLE.parse("20101104T014300.000Z-7-42", leafInSeconds))
                .withMessage("time must be the start of a tick of the layout " + leafInSeconds
                        + ", such as 20101104T014259.657Z: time=20101104T014300.000Z");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdFormat.READABLE.parse("20261130T154012.345Z-7-42", tens))
                .withMessage("time must be the start of a tick of the layout " + tens
                        + ", such as 20261130T154012.340Z: time=20261130T154012.345Z");
    }

    @Test
    void asksForTheShardWhereTheLayoutHasOne() {
        assertThatThrownBy(() -> IdFormat.READABLE.parse("20261130T154012.000Z-7-42", Layout.SHARDED))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage("a readable id of the layout 29/10/14+10,tick=1s,epoch=2025-01-01T00:00:00Z must be time,"
                        + " worker, sequence and shard, such as 20261130T154012.000Z-7-42-5:"
                        + " id=20261130T154012.000Z-7-42");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdFormat.READABLE.parse("20261130T154012.000Z-7-42-1024", Layout.SHARDED))
                .withMessage("shard must be 0 to 1023 (10 bits): shard=1024");
    }

    @ParameterizedTest
    @EnumSource(IdFormat.class)
    void writesNoIdThatTheLayoutDoesNotHave(IdFormat format) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.format(-1, Layout.CLASSIC))
                .withMessage("id must not be negative: id=-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.format(1L << 53, Layout.JS_SAFE))
                .withMessage("id must be at most 9007199254740991, the largest of the layout"
                        + " 41/5/7,tick=1ms,epoch=2025-01-01T00:00:00Z: id=9007199254740992");
    }

    @ParameterizedTest
    @CsvSource({"9007199254740992", "00fFgnDxSe8", "0080000000000"})
    void readsNoIdThatTheLayoutDoesNotHave(String text) {
        IdFormat format = text.length() == 13 ? IdFormat.CROCKFORD32 : IdFormat.detect(text);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.parse(text, Layout.JS_SAFE))
                .withMessage("id must be at most 9007199254740991, the largest of the layout"
                        + " 41/5/7,tick=1ms,epoch=2025-01-01T00:00:00Z: id=9007199254740992")
                .isNotInstanceOf(NumberFormatException.class);
    }

    @Test
    void shortensWhatItRefuses() {
        assertThatThrownBy(() -> IdFormat.detect("x".repeat(1_000)))
                .hasMessageEndingWith(": id=" + "x".repeat(64) + "…");
    }

    @Test
    void namesTheChoices() {
        assertThat(IdFormat.named("Base62")).isEqualTo(IdFormat.BASE62);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdFormat.named("hex"))
                .withMessage("format must be one of decimal, base62, crockford32, readable: format=hex");
    }
}
