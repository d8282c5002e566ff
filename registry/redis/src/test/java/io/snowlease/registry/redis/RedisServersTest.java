package io.snowlease.registry.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.spi.StoreCredentials;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisServersTest {
    private static final String FORMS =
            "must be redis[s]://[user:password@]host[:port][/database], redis[s]-cluster://[user:password@]host[:port][,…]"
                    + " or redis[s]-sentinel://[user:password@]host[:port][,…][/database]#master, each with"
                    + " ?replicas=N and &lag=30s if need be, IPv6 addresses in []: uri=";

    private static RedisServers parse(String uri) {
        return RedisServers.parse(URI.create(uri));
    }

    @ParameterizedTest
    @CsvSource({
        "redis://h, h:6379",
        "redis://h:7000/3, h:7000/3",
        "REDISS://h, h:6379",
        "redis://[::1]:7000, [::1]:7000",
        "redis-cluster://a:7000|b, 'cluster a:7000,b:6379'",
        "redis-sentinel://a|b:7000/2#orders, 'sentinels a:26379,b:7000/2#orders'",
        "rediss-sentinel://a#orders, sentinels a:26379#orders"
    })
    void namesServersAndTheirPorts(String uri, String name) {
        assertThat(parse(uri.replace('|', ','))).hasToString(name);
    }

    @Test
    void takesUserAndPasswordFromTheUri() {
        StoreCredentials both =
                Objects.requireNonNull(parse("redis://o-ns:p%40s:s+%25@h").credentials());
        assertThat(both.user()).isEqualTo("o-ns");
        assertThat(both.password()).isEqualTo("p@s:s+%");
    }

    @Test
    void aPasswordWithoutAUserIsTheDefaultUsers() {
        StoreCredentials one = Objects.requireNonNull(parse("redis://:secret@h").credentials());
        assertThat(one.user()).isEqualTo("default");
        assertThat(one.password()).isEqualTo("secret");
    }

    @Test
    void takesReplicasAndLagFromTheQuery() {
        RedisServers stated = parse("redis://h?replicas=2&lag=45s");
        assertThat(stated.replicas()).isEqualTo(2);
        assertThat(stated.lag()).isEqualTo(Duration.ofSeconds(45));
        assertThat(parse("redis://h").replicas()).isEqualTo(RedisServers.ALL_SEEN);
        assertThat(parse("redis://h").lag()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis:/h",
                "redis://a,b",
                "redis://h/x",
                "redis://h#master",
                "redis://h?timeout=3",
                "redis-cluster://h/1",
                "redis-sentinel://h",
                "redis://@h",
                "redis://user@h",
                "redis://user:@h"
            })
    void sayWhatIsExpected(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(uri))
                .withMessage(FORMS + uri.replaceAll("//.*@", "//***@"));
    }

    @Test
    void valuesOutOfRangeAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("redis://:secret@h:70000"))
                .withMessage("must be 1-65535: port=70000 in redis://***@h:70000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("redis://h?replicas=17"))
                .withMessage("must be 0-16, how many replicas must acknowledge a lease: replicas=17");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("redis://h?lag=61m"))
                .withMessage(
                        "must be a time such as 500ms, 30s or 2m, at most 60m: how long a replaced primary may go on"
                                + " accepting writes: lag=61m");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://lease:hidden@h:x",
                "redis://lease:hidden@h/x",
                "redis://lease:hid^den@h",
                "redis://lease:hidden@h?x"
            })
    void aMalformedUriIsShownWithoutItsPassword(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerRegistry.builder().coordinator(uri).connect())
                .satisfies(e -> assertThat(Logs.trace(e)).contains("***").doesNotContain("hid"));
    }
}
