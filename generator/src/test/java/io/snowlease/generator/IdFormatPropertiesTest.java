package io.snowlease.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class IdFormatPropertiesTest {
    private static final List<String> PRESETS =
            List.of("classic", "seconds", "worker-first", "sharded", "js-safe", "leaf", "cosid", "seata", "uid");

    /** Ticks of every length, epochs off the second, years of five digits and more. */
    private static final List<String> OTHERS = List.of(
            "40/10/12,tick=10ms",
            "40/10/12+1,tick=10ms,epoch=2025-01-01T00:00:00.003Z",
            "31/10/22,tick=1s,epoch=2010-11-04T01:42:54.657Z",
            "20/20/20,tick=60000ms,epoch=1970-01-01T00:00:00.001Z",
            "61/1/1,tick=1ms,epoch=1970-01-01T00:00:00Z",
            "41/10/12,tick=1s,worker-first");

    @Property
    void whatWasFormattedIsReadBack(
            @ForAll("layouts") Layout layout, @ForAll IdFormat format, @ForAll("numbers") long number) {
        long id = number & ((1L << layout.idBits()) - 1);

        assertThat(format.parse(format.format(id, layout), layout)).isEqualTo(id);
    }

    @Property
    void whatIsDetectedIsWhatWasWritten(
            @ForAll("layouts") Layout layout, @ForAll IdFormat format, @ForAll("numbers") long number) {
        long id = number & ((1L << layout.idBits()) - 1);
        String text = format.format(id, layout);
        Assume.that(format == IdFormat.DECIMAL || !text.matches("[0-9]+"));

        assertThat(IdFormat.detect(text)).isEqualTo(format);
        assertThat(IdFormat.parseAny(text, layout)).isEqualTo(id);
    }

    @Property
    void textOrderOfTheFixedWidthFormsIsIdOrder(
            @ForAll("fixedWidth") IdFormat format, @ForAll("numbers") long a, @ForAll("numbers") long b) {
        Layout all = Layout.CLASSIC;

        int order = format.format(a, all).compareTo(format.format(b, all));

        assertThat(Integer.signum(order)).isEqualTo(Long.compare(a, b));
        assertThat(format.format(a, all)).hasSameSizeAs(format.format(b, all));
    }

    @Property
    void crockfordIsReadHoweverPeopleWriteIt(@ForAll("numbers") long id) {
        String text = IdFormat.CROCKFORD32.format(id, Layout.CLASSIC);
        String copied = text.replace('1', 'l').replace('0', 'o');
        String spoken = text.toLowerCase(Locale.ROOT).replaceAll("(.{4})(?=.)", "$1-");

        assertThat(IdFormat.CROCKFORD32.parse(copied, Layout.CLASSIC)).isEqualTo(id);
        assertThat(IdFormat.CROCKFORD32.parse(spoken, Layout.CLASSIC)).isEqualTo(id);
        assertThat(IdFormat.parseAny(spoken, Layout.CLASSIC)).isEqualTo(id);
    }

    @Property
    void anyTextIsReadOrRefusedAsNoId(@ForAll("texts") String text, @ForAll("layouts") Layout layout) {
        for (IdFormat format : IdFormat.values()) {
            try {
                long id = format.parse(text, layout);
                assertThat(layout.decode(id).id()).isEqualTo(id);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining(" must ");
            }
        }
    }

    @Provide
    Arbitrary<Layout> layouts() {
        Arbitrary<Layout> named = Arbitraries.of(PRESETS).map(Layout::parse);
        Arbitrary<Layout> others = Arbitraries.of(OTHERS).map(Layout::parse);
        return Arbitraries.oneOf(named, others, new LayoutPropertiesTest().layouts());
    }

    /** Of any size: the small ones, too, are written at full width. */
    @Provide
    Arbitrary<Long> numbers() {
        return Arbitraries.longs()
                .between(0, Long.MAX_VALUE)
                .flatMap(number -> Arbitraries.integers().between(0, 62).map(shift -> number >>> shift));
    }

    @Provide
    Arbitrary<IdFormat> fixedWidth() {
        return Arbitraries.of(IdFormat.BASE62, IdFormat.CROCKFORD32);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.strings().withChars("0123456789ALOUTZalouz-.").ofMaxLength(30),
                Arbitraries.strings().numeric().ofMinLength(18).ofMaxLength(22),
                Arbitraries.strings().alpha().numeric().ofLength(11),
                Arbitraries.strings().alpha().numeric().ofLength(13),
                Arbitraries.strings().numeric().ofMinLength(8).ofMaxLength(13).map(date -> date + "T101112.345Z-7-42"));
    }
}
