package io.snowlease.registry.redis;

import static io.snowlease.registry.redis.Certificates.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.snowlease.registry.CoordinatorAccessException;
import io.snowlease.registry.CoordinatorSetupException;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreTls;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS with an authority of one's own, and what is said where it does not come about: at once. */
@TestInstance(Lifecycle.PER_CLASS)
class TlsTest {
    private static final String LOCALHOST = "san=dns:localhost,ip:127.0.0.1";

    private Path folder;
    private Certificates certificates;
    private StoreTls trusting;
    private RedisServer server;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        certificates = new Certificates(folder);
        trusting = StoreTls.DEFAULTS.withTrustStore(certificates.trust("trust.p12"), PASSWORD);
        server = server("server", LOCALHOST, "tls-auth-clients no");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private RedisServer server(String name, String san, String... more) throws Exception {
        List<Path> pem = certificates.pem(name, "-ext", san);
        int port = RedisServer.freePort();
        List<String> lines = new ArrayList<>(List.of(
                "port 0",
                "tls-port " + port,
                "tls-cert-file " + pem.get(0),
                "tls-key-file " + pem.get(1),
                "tls-ca-cert-file " + certificates.trust("ca.pem")));
        lines.addAll(Arrays.asList(more));
        return new RedisServer(folder.resolve("redis-" + name), port, List.of(), lines.toArray(new String[0]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"trust.p12", "trust.jks", "trust.pem"})
    void leasesByTlsWithATrustStoreOfAnyKind(String file) throws Exception {
        StoreTls tls =
                StoreTls.DEFAULTS.withTrustStore(certificates.trust(file), file.endsWith(".pem") ? null : PASSWORD);

        leaseOne("rediss://localhost:" + server.port, tls);
        leaseOne("rediss://127.0.0.1:" + server.port, tls);
    }

    @Test
    void aServerThatWantsACertificateOfTheNodeGetsIt() throws Exception {
        try (RedisServer strict = server("strict", LOCALHOST, "tls-auth-clients yes")) {
            String uri = "rediss://localhost:" + strict.port;
            leaseOne(uri, trusting.withKeyStore(certificates.key("node"), PASSWORD));
            List<Path> pem = certificates.pem("pem-node");
            Path both = Files.writeString(
                    folder.resolve("both.pem"), Files.readString(pem.get(1)) + Files.readString(pem.get(0)));
            leaseOne(uri, trusting.withKeyStore(both, null));

            assertThatExceptionOfType(CoordinatorAccessException.class)
                    .isThrownBy(() -> leaseOne(uri, trusting))
                    .withMessageMatching(
                            "no connection to Redis at localhost:\\d+ while looking at the registry: the TLS"
                                    + " handshake failed \\(.*\\); does it want a certificate of this node, in a key store\\?");
        }
    }

    @Test
    void aCertificateThatIsNotTrustedIsSaidToBe() {
        assertThatExceptionOfType(CoordinatorAccessException.class)
                .isThrownBy(() -> leaseOne("rediss://localhost:" + server.port, null))
                .withMessageMatching("no connection to Redis at localhost:\\d+ while looking at the registry: its"
                        + " certificate is refused, going by the JDK's trust store \\(.*\\)");
    }

    @Test
    void aCertificateOfAnotherHostIsSaidToBe() throws Exception {
        try (RedisServer other = server("other", "san=dns:other.example", "tls-auth-clients no")) {
            assertThatExceptionOfType(CoordinatorAccessException.class)
                    .isThrownBy(() -> leaseOne("rediss://localhost:" + other.port, trusting))
                    .withMessage("no connection to Redis at localhost:" + other.port + " while looking at the registry:"
                            + " its certificate is refused, going by the trust store " + folder.resolve("trust.p12")
                            + " (No subject alternative DNS name matching localhost found.)");
        }
    }

    @Test
    void aServerWithoutTlsIsSaidToBe() throws Exception {
        try (RedisServer plain = new RedisServer(folder.resolve("plain"))) {
            String uri = "rediss://localhost:" + plain.port;
            try (RedisStore store = Stores.open(
                    uri, "plain", new StoreOptions(Duration.ofSeconds(2), null, 0, false, null, trusting))) {
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(store::view)
                        .withMessage("no connection to Redis at localhost:" + plain.port + " within 2000 ms while"
                                + " looking at the registry: no answer; has it TLS at this port?");
            }
        }
    }

    @Test
    void filesThatCantBeUsedAreNamed() throws Exception {
        Path trust = certificates.trust("wrong.p12");
        Path missing = folder.resolve("missing.pem");

        assertThatExceptionOfType(CoordinatorSetupException.class)
                .isThrownBy(() -> leaseOne("rediss://localhost", StoreTls.DEFAULTS.withTrustStore(trust, "other")))
                .withMessage("the trust store " + trust + " for TLS to Redis can't be used as PKCS12: its password is"
                        + " wrong");
        assertThatExceptionOfType(CoordinatorSetupException.class)
                .isThrownBy(() -> leaseOne("rediss://localhost", StoreTls.DEFAULTS.withKeyStore(missing, null)))
                .withMessage("the key store " + missing + " for TLS to Redis can't be used as PEM: there is no such"
                        + " file");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leaseOne("redis://localhost", trusting))
                .withMessage("must be rediss:// where there is a trust store or a key store: Redis at localhost:6379, "
                        + trusting);
    }

    private static void leaseOne(String uri, @Nullable StoreTls tls) {
        try (Nodes nodes = new Nodes(uri).with(builder -> builder.tls(tls))) {
            nodes.init(Duration.ofSeconds(20), Duration.ofSeconds(5), 7);
            try (WorkerRegistry registry = nodes.builder("a").connect()) {
                assertThat(registry.newGenerator().nextId()).isPositive();
            }
        }
    }
}
