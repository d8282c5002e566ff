package io.snowlease.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreProvider;
import io.snowlease.registry.spi.StoreTls;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerListTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zookeeper://h1                        | h1:2181",
                "zookeeper://h1/                       | h1:2181",
                "zookeeper://h1:2182,h2                | h1:2182,h2:2181",
                "zookeeper://h_1.example:1,h2:2/a/b/   | h_1.example:1,h2:2/a/b",
                "zookeeper+tls://h1,h2:2282/a          | h1:2281,h2:2282/a",
                "zookeeper://10.0.0.1:2181/chroot      | 10.0.0.1:2181/chroot",
                "zookeeper://[::1]:2182/a              | [::1]:2182/a",
                "zookeeper://%5B::1%5D:1,%5Bfe80::2%5D | [::1]:1,[fe80::2]:2181",
            })
    void parsesHostsPortsAndChroot(String uri, String expected) {
        assertThat(ServerList.parse(URI.create(uri))).hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zookeeper:h1",
                "zookeeper:/h1",
                "zookeeper:///a",
                "zookeeper://h1,,h2",
                "zookeeper://h1:x",
                "zookeeper://h1//a",
                "zookeeper://h1/a/../b",
                "zookeeper://h1?a=b",
                "zookeeper://h1#a",
            })
    void saysWhatIsExpected(String uri) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ServerList.parse(URI.create(uri)))
                .withMessage(
                        "must be zookeeper[+tls]://host[:port][,host[:port]...][/chroot], IPv6 addresses in []: uri="
                                + uri);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zookeeper://user:secret@h1",
                "zookeeper://user:se@cret@h1",
                "zookeeper://user:12/cret@h1",
                "zookeeper://user:se?cret@h1",
            })
    void refusesCredentialsWithoutRepeatingThem(String uri) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ServerList.parse(URI.create(uri)))
                .withMessage("must not hold credentials, which others could see in the process list: give them by"
                        + " credentials(user, password), by SNOWLEASE_ZOOKEEPER_AUTH or by --zookeeper-auth-file (an @"
                        + " of a chroot is written %40): uri=zookeeper://***@h1");
    }

    @Test
    void anAtSignOfAChrootIsWrittenAsPercent40() {
        assertThat(ServerList.parse(URI.create("zookeeper://h1/a%40b"))).hasToString("h1:2181/a@b");
    }

    @Test
    void namesAPortOutOfRange() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ServerList.parse(URI.create("zookeeper://h1:65536")))
                .withMessage("must be 1-65535: port=65536 in zookeeper://h1:65536");
    }

    @Test
    void refusesCertificatesWithoutTls() {
        StoreOptions options = new StoreOptions(
                Duration.ofSeconds(1),
                null,
                0,
                true,
                null,
                StoreTls.DEFAULTS.withTrustStore(Path.of("a.p12"), "secret"));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new ZooKeeperStoreProvider().open(URI.create("zookeeper://h1"), "orders", options))
                .withMessage("must be zookeeper+tls:// where there is a trust store or a key store: uri=zookeeper://h1,"
                        + " trust store a.p12, key store null");
    }

    @Test
    void refusesAnEmptyNamespace() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() ->
                        new ZooKeeperStoreProvider().open(URI.create("zookeeper://h1"), "", StoreOptions.DEFAULTS))
                .withMessage("must not be empty: namespace=");
    }

    @Test
    void isFoundByItsSchemes() {
        assertThat(ServiceLoader.load(StoreProvider.class))
                .anySatisfy(provider -> assertThat(provider.schemes())
                        .containsExactlyInAnyOrder("zookeeper", "zookeeper+tls", "embedded"));
    }
}
