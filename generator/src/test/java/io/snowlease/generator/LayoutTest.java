package io.snowlease.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    classic;      41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z;               2094-09-07T15:47:35.551Z
                    seconds;      32/10/20,tick=1s,epoch=2025-01-01T00:00:00Z;                2161-02-07T06:28:15Z
                    worker-first; 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z,worker-first;  2094-09-07T15:47:35.551Z
                    sharded;      29/10/14+10,tick=1s,epoch=2025-01-01T00:00:00Z;             2042-01-05T18:48:31Z
                    js-safe;      41/5/7,tick=1ms,epoch=2025-01-01T00:00:00Z;                 2094-09-07T15:47:35.551Z
                    leaf;         41/10/12,tick=1ms,epoch=2010-11-04T01:42:54.657Z;           2080-07-10T17:30:30.208Z
                    cosid;        41/10/12,tick=1ms,epoch=2019-12-24T16:00:00Z;               2089-08-30T07:47:35.551Z
                    seata;        41/10/12,tick=1ms,epoch=2020-05-02T16:00:00Z,worker-first;  2090-01-07T07:47:35.551Z
                    uid;          28/22/13,tick=1s,epoch=2016-05-19T16:00:00Z;                2024-11-20T13:24:15Z
                    """)
    void presetsAreWhatTheirNamesPromise(String name, String spec, Instant lastInstant) {
        Layout preset = Layout.parse(name);

        assertThat(preset).hasToString(spec).isEqualTo(Layout.parse(spec));
        assertThat(preset.spec()).isEqualTo(spec);
        assertThat(preset.lastInstant()).isEqualTo(lastInstant);
        assertThat(preset.endMillis()).isEqualTo(lastInstant.toEpochMilli() + preset.tickMillis());
    }

    @Test
    void presetNamesIgnoreCaseAndTakeUnderscores() {
        assertThat(Layout.parse(" CLASSIC ")).isEqualTo(Layout.CLASSIC).hasSameHashCodeAs(Layout.CLASSIC);
        assertThat(Layout.parse("Worker_First")).isEqualTo(Layout.WORKER_FIRST);
        assertThat(Layout.parse("JS_SAFE")).isEqualTo(Layout.JS_SAFE);
    }

    @Test
    void bitsAloneMeanMillisecondsSinceTheDefaultEpoch() {
        assertThat(Layout.parse("41/10/12")).isEqualTo(Layout.CLASSIC);
        assertThat(Layout.parse("41/10/12, Worker-First")).isEqualTo(Layout.WORKER_FIRST);
        assertThat(Layout.parse("29/10/14+10,tick=1000ms")).isEqualTo(Layout.SHARDED);
    }

    @Test
    void layoutsThatDifferInAnythingAreNotEqual() {
        assertThat(Layout.CLASSIC)
                .isNotEqualTo(Layout.WORKER_FIRST)
                .isNotEqualTo(Layout.LEAF)
                .isNotEqualTo(Layout.parse("41/10/12,tick=2ms"))
                .isNotEqualTo(Layout.parse("41/10/11+1"))
                .isNotEqualTo(Layout.parse("40/11/12"))
                .isNotEqualTo("41/10/12");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', textBlock = """
                    41/10/13;  timestamp, worker, sequence and shard bits must add up to at most 63: 41 + 10 + 13 + 0 = 64
                    0/10/12;   timestampBits must be 1 to 61: timestampBits=0
                    62/1/1;    timestampBits must be 1 to 61: timestampBits=62
                    41/0/12;   workerBits must be 1 to 31: workerBits=0
                    20/32/5;   workerBits must be 1 to 31: workerBits=32
                    20/5/32;   sequenceBits must be 1 to 31: sequenceBits=32
                    20/5/5+32; shardBits must be 0 to 31: shardBits=32
                    41/10/12,tick=0ms; tick must be at least 1 ms: tickMillis=0
                    41/10/12,tick=1m;  tick must be a number of ms or s, such as tick=10ms or tick=1s: layout=41/10/12,tick=1m
                    41/10/12,epoch=2025; epoch must be an instant in UTC, such as epoch=2025-01-01T00:00:00Z: layout=41/10/12,epoch=2025
                    41/10/12,epoch=1969-12-31T23:59:59Z; epoch must not be before 1970: epoch=1969-12-31T23:59:59Z
                    41/10/12,epoch=2025-01-01T00:00:00.0005Z; epoch must be whole milliseconds: epoch=2025-01-01T00:00:00.000500Z
                    41/10/12,ticks=1ms; layout options must be tick=, epoch= or worker-first, such as tick=1ms: layout=41/10/12,ticks=1ms
                    61/1/1,tick=1s; the last instant must be within 2^63 ms of 1970: timestampBits=61, tickMillis=1000, epochMillis=1735689600000
                    leaf,tick=1s; a preset takes no options, write its bits out instead, such as 41/10/12,tick=1ms,epoch=2010-11-04T01:42:54.657Z: layout=leaf,tick=1s
                    classical; layout must start with a preset (classic, cosid, js-safe, leaf, seata, seconds, sharded, uid, worker-first) or with bits, such as 41/10/12 or 29/10/14+10: layout=classical
                    """)
    void refusesWhatBreaksARuleAndNamesRuleAndValue(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layout.parse(text))
                .withMessage(message);
    }

    @Test
    void refusesTicksOfPartsOfAMillisecond() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layout.builder().tick(Duration.ofNanos(1_500_000)))
                .withMessage("tick must be whole milliseconds: tick=PT0.0015S");
        assertThat(Layout.builder().bits(41, 10, 12).tick(Duration.ofSeconds(2)).build())
                .isEqualTo(Layout.parse("41/10/12,tick=2s"));
    }

    @Test
    void decodesPartsInTheirPlaces() {
        long tick = 0x123_4567_89AL;
        assertThat(Layout.CLASSIC.decode(tick << 22 | 513L << 12 | 77))
                .isEqualTo(new DecodedId(tick << 22 | 513L << 12 | 77, Layout.CLASSIC.millisOf(tick), 513, 77, 0));
        assertThat(Layout.WORKER_FIRST.decode(513L << 53 | tick << 12 | 77))
                .isEqualTo(new DecodedId(513L << 53 | tick << 12 | 77, Layout.WORKER_FIRST.millisOf(tick), 513, 77, 0));
        assertThat(Layout.SHARDED
                        .decode(5L << 34 | 9L << 24 | 77L << 10 | 1_023)
                        .timestamp())
                .isEqualTo(Instant.parse("2025-01-01T00:00:05Z"));
        assertThat(Layout.SHARDED
                        .decode(5L << 34 | 9L << 24 | 77L << 10 | 1_023)
                        .shard())
                .isEqualTo(1_023);
    }

    @Test
    void refusesToDecodeWhatIsNoIdOfTheLayout() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layout.CLASSIC.decode(-1))
                .withMessage("id must not be negative: id=-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layout.JS_SAFE.decode(1L << 53))
                .withMessage("id must be at most 9007199254740991, the largest of the layout"
                        + " 41/5/7,tick=1ms,epoch=2025-01-01T00:00:00Z: id=9007199254740992");
    }

    @Test
    void refusesToEncodePartsThatLeakIntoTheirNeighbours() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layout.CLASSIC.encode(1, 1_024, 0, 0))
                .withMessage("worker must be 0 to 1023 (10 bits): worker=1024");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layout.CLASSIC.encode(1, 0, 0, 1))
                .withMessage("shard must be 0 to 0 (0 bits): shard=1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layout.CLASSIC.encode(-1, 0, 0, 0))
                .withMessage("tick must be 0 to 2199023255551 (41 bits): tick=-1");
    }

    @Test
    void roundsUpToItsOwnGridAndNotToOneThatStartsIn1970() {
        Layout leafInSeconds = Layout.parse("31/10/22,tick=1s,epoch=2010-11-04T01:42:54.657Z");

        assertThat(leafInSeconds.roundUpToTick(1_288_834_974_657L)).isEqualTo(1_288_834_974_657L);
        assertThat(leafInSeconds.roundUpToTick(1_288_834_975_000L)).isEqualTo(1_288_834_975_657L);
        assertThat(leafInSeconds.roundUpToTick(0)).isEqualTo(657);
        assertThat(leafInSeconds.roundUpToTick(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE + 465);
        assertThatThrownBy(() -> leafInSeconds.roundUpToTick(Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void idsFromTheFirstTimestampAfterAnIdAreAboveIt() {
        long largestOfTick5 = Layout.SECONDS.encode(5, 1_023, (1 << 20) - 1, 0);

        long after = Layout.SECONDS.firstTimestampAfter(largestOfTick5);

        assertThat(after).isEqualTo(Layout.SECONDS.millisOf(6));
        assertThat(Layout.SECONDS.encode(Layout.SECONDS.tickOf(after), 0, 0, 0)).isEqualTo(largestOfTick5 + 1);
    }

    @Test
    void onlyLayoutsOf53BitsFitJavaScript() {
        assertThat(Layout.JS_SAFE.fitsJavaScript()).isTrue();
        assertThat(Layout.JS_SAFE.idBits()).isEqualTo(53);
        assertThat(Layout.CLASSIC.fitsJavaScript()).isFalse();
        assertThat(Layout.CLASSIC.maxWorkerId()).isEqualTo(1_023);
    }
}
