package io.snowlease.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.snowlease.registry.CoordinatorUnavailableException;
import io.snowlease.registry.Examination;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.zookeeper.ServerProbe.Answer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A look at a real server: what it sees, and that it leaves everything as it was. */
class ExaminationTest {
    private EmbeddedServer server;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        server = Servers.start(folder);
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private WorkerRegistryBuilder builder() {
        return WorkerRegistry.builder()
                .coordinator("zookeeper://127.0.0.1:" + server.port() + "/c")
                .namespace("orders")
                .callTimeout(Duration.ofSeconds(30));
    }

    private Map<String, String> everything() throws Exception {
        Map<String, String> all = new TreeMap<>();
        try (RawClient client = new RawClient(server.port())) {
            ZooKeeper zk = client.zk;
            for (String path : ZKUtil.listSubTreeBFS(zk, "/")) {
                if (!path.startsWith("/zookeeper")) {
                    byte[] data = zk.getData(path, false, null);
                    all.put(path, data == null ? "" : new String(data, StandardCharsets.UTF_8));
                }
            }
        }
        return all;
    }

    @Test
    void makesNothingWhereNothingIs() throws Exception {
        Map<String, String> before = everything();
        try (RegistryAdmin admin = builder().openAdmin()) {
            Examination seen = admin.examine();
            assertThat(seen.registry()).isNull();
            assertThat(seen.clock()).isNull();
            assertThat(seen.neverUsed()).isFalse();
        }
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void makesNoRegistryBesideOthers() throws Exception {
        try (RegistryAdmin other = builder().namespace("other").openAdmin()) {
            other.init(RegistrySettings.UNSTATED, true, 0);
        }
        Map<String, String> before = everything();
        try (RegistryAdmin admin = builder().openAdmin()) {
            Examination seen = admin.examine();
            assertThat(seen.registry()).isNull();
            assertThat(seen.clock()).isNotNull();
        }
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void seesARegistryAndChangesNoRecord() throws Exception {
        try (RegistryAdmin admin = builder().openAdmin()) {
            admin.init(RegistrySettings.UNSTATED, true, 0);
            try (WorkerRegistry node = builder().node("a").connect()) {
                assertThat(node.newGenerator().workerId()).isZero();
                Map<String, String> before = everything();

                Examination seen = admin.examine();

                assertThat(seen.registry()).isEqualTo(node.registry());
                assertThat(seen.otherServer()).isFalse();
                assertThat(seen.slots()).hasSize(1).allMatch(slot -> slot.node().equals("a"));
                Examination.Clock clock = seen.clock();
                assertThat(clock).isNotNull();
                assertThat(clock.leastSkewMillis()).isZero();
                assertThat(seen.roundTripMillis()).isGreaterThanOrEqualTo(Math.abs(clock.mostSkewMillis()) - 1);
                assertThat(everything()).isEqualTo(before);
            }
        }
    }

    @Test
    void asksTheServersEvenIfNoneAnswers() throws Exception {
        try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
                RegistryAdmin admin = WorkerRegistry.builder()
                        .coordinator("zookeeper://127.0.0.1:" + nobody.getLocalPort())
                        .callTimeout(Duration.ofMillis(200))
                        .openAdmin()) {
            assertThatExceptionOfType(CoordinatorUnavailableException.class).isThrownBy(admin::examine);
            assertThat(admin.storeFindings())
                    .containsExactly(Finding.failure(
                            "servers",
                            "0 of 1 can be used: 127.0.0.1:" + nobody.getLocalPort() + " (no answer within 200 ms)",
                            "check that they run and that these addresses are right"));
        }
    }

    @Test
    void asksEachServerForItsPart() {
        String address = "127.0.0.1:" + server.port();
        assertThat(ServerProbe.ask(List.of(address, "no-such-host.invalid:2181"), Duration.ofSeconds(30), null))
                .containsExactly(
                        new Answer(address, "standalone", null),
                        new Answer("no-such-host.invalid:2181", null, "no address is known for no-such-host.invalid"));
    }
}
