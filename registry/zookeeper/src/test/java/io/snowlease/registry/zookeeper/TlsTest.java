package io.snowlease.registry.zookeeper;

import static io.snowlease.registry.testing.Certificates.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.CoordinatorAccessException;
import io.snowlease.registry.CoordinatorSetupException;
import io.snowlease.registry.CoordinatorUnavailableException;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.StoreTls;
import io.snowlease.registry.testing.Certificates;
import io.snowlease.registry.testing.Logs;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS to real servers, and what is said where it does not come about: at once, whatever the start timeout. */
@TestInstance(Lifecycle.PER_CLASS)
class TlsTest {
    private static final String LOCALHOST = "san=dns:localhost,ip:127.0.0.1";

    private Path folder;
    private Certificates certificates;
    private StoreTls trusting;
    private ServerProcess server;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        certificates = new Certificates(folder);
        trusting = StoreTls.DEFAULTS.withTrustStore(certificates.trust("trust.p12"), PASSWORD);
        server = server("server", certificates.key("server", "-ext", LOCALHOST), "ssl.clientAuth=none");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"trust.p12", "trust.jks", "trust.pem"})
    void leasesByTlsWithATrustStoreOfAnyKind(String file) throws Exception {
        StoreTls tls =
                StoreTls.DEFAULTS.withTrustStore(certificates.trust(file), file.endsWith(".pem") ? null : PASSWORD);
        Properties before = (Properties) System.getProperties().clone();
        before.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true"); // by ZooKeeper itself

        leaseOne(at("zookeeper+tls://localhost:" + server.tlsPort + "/" + file, tls));
        leaseOne(at("zookeeper+tls://127.0.0.1:" + server.tlsPort + "/ip-" + file, tls));

        assertThat(System.getProperties()).isEqualTo(before);
    }

    @Test
    void eachServerIsAskedForItsPartByTlsToo() {
        WorkerRegistryBuilder looking = at("zookeeper+tls://localhost:" + server.tlsPort, trusting);
        try (RegistryAdmin admin = looking.openAdmin()) {
            assertThat(admin.storeFindings())
                    .contains(
                            Finding.ok("servers", "1 of 1 can be used: localhost:" + server.tlsPort + " (standalone)"));
        }
        try (RegistryAdmin admin = at("zookeeper+tls://localhost:" + server.tlsPort, StoreTls.DEFAULTS)
                .openAdmin()) {
            assertThat(admin.storeFindings()).anyMatch(finding -> finding.level() == Finding.Level.FAILURE);
        }
    }

    @Test
    void aServerThatWantsACertificateOfTheNodeGetsIt() throws Exception {
        Path trust = certificates.trust("trust.p12");
        try (ServerProcess strict = server(
                "strict",
                certificates.key("strict", "-ext", LOCALHOST),
                "ssl.clientAuth=need",
                "ssl.trustStore.location=" + trust,
                "ssl.trustStore.password=" + PASSWORD)) {
            String uri = "zookeeper+tls://localhost:" + strict.tlsPort;
            leaseOne(at(uri, trusting.withKeyStore(certificates.key("node"), PASSWORD)));

            assertRefused(
                    at(uri, trusting),
                    "no connection to ZooKeeper at localhost:" + strict.tlsPort + " while looking at the registry:"
                            + " localhost:" + strict.tlsPort + ": it refuses the handshake, as when it wants a"
                            + " certificate of this node, and none is given in a key store that it trusts"
                            + " (bad_certificate)");
            leaseOne(at(uri + "/both", trusting.withKeyStore(certificates.key("other-node"), PASSWORD))
                    .credentials("alice", "secret-of-alice"));
            try (RawClient raw = new RawClient(strict.plainPort)) {
                Acls.login(raw.zk, "alice", "secret-of-alice");
                assertThat(Acls.tree(raw.zk, "/both").values())
                        .containsOnly(Acls.list(
                                new ACL(Perms.ALL, new Id("x509", "CN=other-node")),
                                Acls.of("alice", "secret-of-alice").get(0)));
            }
        }
    }

    @Test
    void digestAuthenticationThatIsSwitchedOffIsSaidToBe() throws Exception {
        try (ServerProcess strict =
                new ServerProcess(folder.resolve("zk-off"), "DigestAuthenticationProvider.enabled=false")) {
            assertRefused(
                    at("zookeeper://localhost:" + strict.plainPort, null).credentials("alice", "secret-of-alice"),
                    "ZooKeeper at localhost:" + strict.plainPort + " does not accept the credentials of user 'alice'"
                            + " (AuthFailed) while looking at the registry: its digest authentication may be switched"
                            + " off, or a SASL login is wrong");
        }
    }

    @Test
    void anExpiredCertificateIsSaidToBe() throws Exception {
        Path expired = certificates.key("expired", "-ext", LOCALHOST, "-startdate", "-9d", "-validity", "2");
        try (ServerProcess late = server("late", expired, "ssl.clientAuth=none")) {
            assertThatExceptionOfType(CoordinatorAccessException.class)
                    .isThrownBy(() -> at("zookeeper+tls://localhost:" + late.tlsPort, trusting)
                            .connect())
                    .withMessageMatching("no connection to ZooKeeper at localhost:\\d+ while looking at the registry:"
                            + " localhost:\\d+: its certificate has expired \\(NotAfter: .* \\d{4}\\)");
        }
    }

    @Test
    void aCertificateOfAnotherHostIsSaidToBe() throws Exception {
        Path elsewhere = certificates.key("elsewhere", "-ext", "san=dns:elsewhere.example");
        try (ServerProcess other = server("other", elsewhere, "ssl.clientAuth=none")) {
            assertRefused(
                    at("zookeeper+tls://localhost:" + other.tlsPort, trusting),
                    "no connection to ZooKeeper at localhost:" + other.tlsPort + " while looking at the registry:"
                            + " localhost:" + other.tlsPort + ": its certificate is not that of this host (No subject"
                            + " alternative DNS name matching localhost found.)");
        }
    }

    @Test
    void aCertificateThatIsNotTrustedIsSaidToBe() throws Exception {
        Path strangers = new Certificates(Files.createDirectory(folder.resolve("strangers"))).trust("trust.p12");
        String start = "no connection to ZooKeeper at localhost:" + server.tlsPort + " while looking at the registry:"
                + " localhost:" + server.tlsPort + ": its certificate is ";
        String uri = "zookeeper+tls://localhost:" + server.tlsPort;

        assertRefused(at(uri, null), start + "not signed by one of the JDK's trust store");
        // Of an authority that has the name of the right one, as when that has a new key.
        assertRefused(
                at(uri, StoreTls.DEFAULTS.withTrustStore(strangers, PASSWORD)),
                start + "refused, going by the trust store " + strangers + " (Signature does not match.)");
    }

    @Test
    void aPortWithoutTlsAndOneWithAreSaidToBe() {
        assertRefused(
                at("zookeeper+tls://localhost:" + server.plainPort, trusting),
                "no connection to ZooKeeper at localhost:" + server.plainPort + " while looking at the registry:"
                        + " localhost:" + server.plainPort + ": it has no TLS at this port");
        assertRefused(
                at("zookeeper://localhost:" + server.tlsPort, null),
                "no connection to ZooKeeper at localhost:" + server.tlsPort + " while looking at the registry:"
                        + " localhost:" + server.tlsPort + ": it wants TLS: use zookeeper+tls://");
    }

    @Test
    void aServerThatNeverAnswersIsNotTakenForOneThatWantsTls() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            assertThatExceptionOfType(CoordinatorUnavailableException.class)
                    .isThrownBy(() -> at("zookeeper://" + address, null)
                            .callTimeout(Duration.ofSeconds(4))
                            .startTimeout(Duration.ZERO)
                            .connect())
                    .withMessage("coordinator " + address
                            + " did not answer within 0 ms (no connection to ZooKeeper at "
                            + address + " within 4000 ms while looking at the registry): check that it runs and that"
                            + " this address is right");
        }
    }

    @Test
    void oneServerThatIsRightIsEnough() throws Exception {
        leaseOne(at(
                "zookeeper+tls://localhost:" + server.plainPort + ",localhost:" + server.tlsPort + "/mixed", trusting));
    }

    @Test
    void filesThatCannotBeUsedAreNamedAtOnceAndTheirPasswordsAreNot() throws Exception {
        Path none = folder.resolve("none.p12");
        assertSetupRefused(
                StoreTls.DEFAULTS.withTrustStore(none, PASSWORD),
                "the trust store " + none + " for TLS to ZooKeeper can't be used as PKCS12: there is no such file");
        Path trust = certificates.trust("trust.p12");
        assertSetupRefused(
                StoreTls.DEFAULTS.withTrustStore(trust, "secret-mistaken"),
                "the trust store " + trust + " for TLS to ZooKeeper can't be used as PKCS12: its password is wrong");
        Path text = Files.writeString(folder.resolve("text.pem"), "not a key");
        assertSetupRefused(
                trusting.withKeyStore(text, null),
                "the key store " + text + " for TLS to ZooKeeper can't be used as PEM: did not find a private key");
        assertThat(trusting).hasToString("trust store " + trust + ", key store null");
    }

    @Test
    void noLogHoldsAPassword() throws Exception {
        try (Logs logs = new Logs("ROOT", Level.TRACE)) {
            leaseOne(at("zookeeper+tls://localhost:" + server.tlsPort + "/quiet", trusting)
                    .credentials("alice", "secret-of-alice"));
            assertRefused(
                    at("zookeeper+tls://localhost:" + server.tlsPort + "/quiet", trusting)
                            .credentials("alice", "secret-of-mallory"),
                    "ZooKeeper at localhost:" + server.tlsPort + "/quiet refuses this node"
                            + " /quiet/snowlease/orders/time (NoAuth) while looking at the registry: it was made with"
                            + " other credentials than those of user 'alice'; give the same user and password by"
                            + " credentials(user, password), by SNOWLEASE_ZOOKEEPER_AUTH or by --zookeeper-auth-file");
            assertThat(logs.texts()).hasSizeGreaterThan(50);
            assertThat(logs.texts()).noneMatch(AccessTest::holdsSecret);
        }
    }

    private ServerProcess server(String name, Path key, String... lines) throws Exception {
        String[] all = new String[lines.length + 2];
        all[0] = "ssl.keyStore.location=" + key;
        all[1] = "ssl.keyStore.password=" + PASSWORD;
        System.arraycopy(lines, 0, all, 2, lines.length);
        return new ServerProcess(folder.resolve("zk-" + name), all);
    }

    private static WorkerRegistryBuilder at(String uri, @Nullable StoreTls tls) {
        return WorkerRegistry.builder()
                .coordinator(uri)
                .namespace("orders")
                .node("a")
                .tls(tls)
                .callTimeout(Duration.ofSeconds(30))
                .startTimeout(Duration.ofMinutes(1));
    }

    private static void leaseOne(WorkerRegistryBuilder builder) {
        try (RegistryAdmin admin = builder.openAdmin()) {
            var unused = admin.init(new RegistrySettings(null, null, null, null), true, 0);
        }
        try (WorkerRegistry registry = builder.connect();
                IdGenerator ids = registry.newGenerator()) {
            assertThat(ids.nextId()).isPositive();
        }
    }

    private static void assertRefused(WorkerRegistryBuilder builder, String message) {
        assertThatExceptionOfType(CoordinatorAccessException.class)
                .isThrownBy(builder::connect)
                .withMessage(message);
    }

    private static void assertSetupRefused(StoreTls tls, String message) {
        assertThatExceptionOfType(CoordinatorSetupException.class)
                .isThrownBy(() -> at("zookeeper+tls://localhost:1", tls).connect())
                .withMessage(message)
                .satisfies(e -> assertThat(Logs.trace(e)).doesNotContain("secret"));
    }
}
