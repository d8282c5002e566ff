package io.snowlease.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.snowlease.generator.BoundReachedException;
import io.snowlease.generator.IdGenerationException;
import io.snowlease.generator.Layout;
import io.snowlease.registry.CoordinatorUnavailableException;
import io.snowlease.registry.KeeperStats;
import io.snowlease.registry.LeaseState;
import io.snowlease.registry.LeaseStatus;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.zookeeper.Nodes.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole registry while its server is away, out of reach, restarted or wiped. */
class OutageTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration SKEW = Duration.ofSeconds(1);

    /** Of calls that fail: shorter than the leases, so that the failure shows before the bound. */
    private static final Duration CALL = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private EmbeddedServer server;
    private Nodes nodes;

    @BeforeAll
    static void beInNoHurry() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    }

    @AfterAll
    static void reset() {
        Awaitility.reset();
    }

    @BeforeEach
    void start() throws Exception {
        server = Servers.start(folder);
        nodes = new Nodes(server.port());
    }

    @AfterEach
    void stop() throws Exception {
        nodes.close();
        server.stop();
    }

    // At start

    @Test
    void namesTheServersThatDidNotAnswerWithinTheStartTimeout() throws Exception {
        server.stop();
        WorkerRegistryBuilder builder =
                nodes.builder("a").callTimeout(Duration.ofMillis(400)).startTimeout(Duration.ofSeconds(1));

        assertThatExceptionOfType(CoordinatorUnavailableException.class)
                .isThrownBy(builder::connect)
                .withMessage("coordinator 127.0.0.1:" + server.port()
                        + "/services did not answer within 1000 ms (no connection to ZooKeeper at 127.0.0.1:"
                        + server.port() + "/services within 400 ms while looking at the registry): check that it runs"
                        + " and that this address is right");
    }

    @Test
    void waitsForAServerThatComesUpDuringTheStartTimeout() throws Exception {
        nodes.init(LEASE, SKEW, 0, 1);
        server.stop();
        CompletableFuture<WorkerRegistry> connecting = CompletableFuture.supplyAsync(
                () -> nodes.builder("a").callTimeout(Duration.ofSeconds(1)).connect());
        await().during(Duration.ofMillis(1_500)).until(() -> !connecting.isDone());

        server = EmbeddedServer.start(folder, server.port());

        try (WorkerRegistry registry = connecting.get()) {
            assertThat(registry.newGenerator().nextId()).isPositive();
        }
    }

    // Later

    /** Leaf PR #94: generation stops at the bound, says why, resumes by itself. */
    @Test
    void idsGoOnToTheBoundThenAreRefusedAndComeBackWithTheServer() throws Exception {
        nodes.init(LEASE, SKEW, 0, 1);
        Node node = nodes.start(nodes.builder("a").callTimeout(CALL));
        try (IdStream stream = new IdStream(node.ids())) {
            stream.awaitId();
            server.stop();
            stream.awaitId();

            IdGenerationException refusal = stream.awaitRefusal();
            LeaseStatus lease = node.lease();
            long until = lease.untilMillis();
            assertThat(refusal)
                    .isInstanceOf(BoundReachedException.class)
                    .hasMessageMatching("timestamps must be below until=" + Instant.ofEpochMilli(until)
                            + ", the bound of worker " + lease.worker() + " \\(epoch " + lease.epoch()
                            + "\\): timestamp=\\S+ is \\d+ ms past it, and no renewal"
                            + " came within maxWait=100 ms; resumes by itself when the coordinator answers");
            assertThat(lease.state()).isEqualTo(LeaseState.EXPIRED);
            String away = "no (connection to|answer from) ZooKeeper at 127.0.0.1:" + server.port()
                    + "/services within 3000 ms while .*";
            await().untilAsserted(() -> assertThat(node.lease().reason()).matches(away));
            // The first to be refused was past the bound: all before it had their ids.
            List<Long> before = stream.ids();
            assertThat(timestampOf(before.get(before.size() - 1))).isLessThan(until);
            // A call is refused, it does not wait for the server.
            stream.awaitRefusal();

            server = EmbeddedServer.start(folder, server.port());

            long first = stream.awaitId();
            assertThat(timestampOf(first)).isGreaterThanOrEqualTo(until);
            await().until(() -> node.lease().state() == LeaseState.HELD);
            assertIncreasing(stream.ids());
        }
    }

    /** SnowflakeId.AutoRegister #3: A holds 1, the coordinator is away longer than the lease, B takes 1, A comes back. */
    @Test
    void aNodeThatWasCutOffIssuesNothingAboveItsBoundAndGoesOnWithAnotherWorkerId() throws Exception {
        List<LeaseState> told = new CopyOnWriteArrayList<>();
        nodes.init(LEASE, SKEW, 0, 1);
        try (FaultyLink link = new FaultyLink(server.port());
                Nodes behindLink = nodes.at(link.port())) {
            Node cutOff = behindLink.start(
                    behindLink.builder("a").callTimeout(CALL).listener(status -> told.add(status.state())));
            Node other = nodes.start("b");
            assertThat(List.of(cutOff.worker(), other.worker())).containsExactly(0, 1);
            try (IdStream stream = new IdStream(cutOff.ids())) {
                stream.awaitId();

                link.sever();
                Node successor = nodes.start("c");
                LeaseStatus taken = successor.lease();
                assertThat(taken.worker()).isZero();
                List<Long> before = stream.ids();
                assertThat(timestampOf(before.get(before.size() - 1))).isLessThan(taken.notBeforeMillis());
                long successorsFirst = successor.ids().nextId();
                other.registry().close();
                await().until(() -> told.contains(LeaseState.EXPIRED));
                link.restore();

                await().until(() -> cutOff.lease().state() == LeaseState.HELD && cutOff.worker() == 1);
                stream.awaitId();
                List<Long> all = stream.ids();
                assertThat(all.subList(before.size(), all.size()))
                        .allMatch(id -> Layout.CLASSIC.decode(id).worker() == 1);
                assertIncreasing(stream.ids());
                assertThat(stream.ids()).doesNotContain(successorsFirst);
                assertThat(successor.lease().state()).isEqualTo(LeaseState.HELD);
                assertThat(successor.worker()).isZero();
            }
        }
        // DEGRADED comes before EXPIRED, and more in between, as fast as this machine sees a call fail.
        assertThat(told)
                .containsSubsequence(
                        LeaseState.HELD, LeaseState.EXPIRED, LeaseState.LOST, LeaseState.HELD, LeaseState.CLOSED);
    }

    @Test
    void aKilledSessionDoesNotTouchTheLease() throws Exception {
        // Time enough to connect again, on the slowest machine.
        nodes.init(Duration.ofSeconds(45), SKEW, 0, 1);
        Node node = nodes.start("a");
        LeaseStatus before = node.lease();
        ZooKeeper victim = handle();
        try (IdStream stream = new IdStream(node.ids())) {
            new RawClient(server.port(), victim).close();
            await().until(() -> handle() != victim);
            // Whatever is renewed from now on goes by the new session.
            KeeperStats stats = node.registry().stats();
            await().until(() -> node.registry().stats().renewals() > stats.renewals());

            assertThat(node.lease().state()).isEqualTo(LeaseState.HELD);
            assertThat(node.lease().epoch()).isEqualTo(before.epoch());
            assertThat(node.lease().untilMillis()).isGreaterThan(before.untilMillis());
            assertThat(node.registry().stats().claims()).isEqualTo(1);
            assertThat(stream.refusals()).isEmpty();
        }
    }

    @Test
    void aRegistryThatIsWipedUnderItsHolderIsMadeAgainWithAQuarantineAboveItsBound() throws Exception {
        nodes.init(LEASE, SKEW, 0, 1);
        Node holder = nodes.start("a");
        try (IdStream stream = new IdStream(holder.ids())) {
            stream.awaitId();
            String lost = holder.registry().registry().registryId();
            try (RawClient raw = new RawClient(server.port())) {
                ZKUtil.deleteRecursive(raw.zk, "/services/snowlease/" + nodes.namespace);
            }

            await().until(() -> !holder.registry().registry().registryId().equals(lost));
            long bound = holder.lease().untilMillis();
            long quarantineUntil = holder.registry().registry().quarantineUntil();
            assertThat(quarantineUntil).isGreaterThanOrEqualTo(bound + 2 * SKEW.toMillis());
            assertThat(holder.registry().registry().range().size()).isEqualTo(2);
            assertThat(holder.registry().registry().leaseMillis()).isEqualTo(LEASE.toMillis());

            Node newcomer = nodes.start("b");
            assertThat(newcomer.lease().notBeforeMillis()).isGreaterThanOrEqualTo(quarantineUntil);
            assertThat(timestampOf(newcomer.ids().nextId())).isGreaterThanOrEqualTo(quarantineUntil);
            await().until(() -> holder.lease().state() == LeaseState.HELD);
            assertThat(timestampOf(stream.awaitId())).isGreaterThanOrEqualTo(quarantineUntil);
            assertThat(holder.worker()).isNotEqualTo(newcomer.worker());
            assertThat(holder.registry().stats().forgotten()).isEqualTo(1);
            assertThat(stream.ids()).noneMatch(id -> isBetween(timestampOf(id), bound, quarantineUntil));
            assertIncreasing(stream.ids());
        }
    }

    private static boolean isBetween(long millis, long from, long to) {
        return from <= millis && millis < to;
    }

    private static void assertIncreasing(List<Long> ids) {
        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    private static long timestampOf(long id) {
        return Layout.CLASSIC.decode(id).timestamp().toEpochMilli();
    }

    private ZooKeeper handle() {
        return Objects.requireNonNull(
                TracedProvider.latest(nodes.namespace).connection().handle());
    }
}
