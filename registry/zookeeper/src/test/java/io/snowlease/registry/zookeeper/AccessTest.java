package io.snowlease.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.snowlease.generator.IdGenerator;
import io.snowlease.registry.CoordinatorAccessException;
import io.snowlease.registry.LeaseState;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.testing.Logs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what with a registry, with credentials and without. */
@TestInstance(Lifecycle.PER_CLASS)
class AccessTest {
    private static final String WAYS =
            "by credentials(user, password), by SNOWLEASE_ZOOKEEPER_AUTH or by --zookeeper-auth-file";
    private static final Duration LEASE = Duration.ofMillis(1500);
    private static final Duration SKEW = Duration.ofMillis(500);

    private EmbeddedServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = Servers.start(folder);
    }

    @AfterAll
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void whateverIsDoneToARegistryItsNodesBelongToItsUserAlone() throws Exception {
        init(as("/life", "op", "alice"), LEASE);
        try (RegistryAdmin admin = as("/life", "op", "alice").openAdmin();
                WorkerRegistry a = as("/life", "a", "alice").connect();
                WorkerRegistry b = as("/life", "b", "alice").connect();
                RawClient raw = new RawClient(server.port())) {
            Acls.login(raw.zk, "alice", "secret-of-alice");
            IdGenerator first = a.newGenerator();
            IdGenerator second = b.newGenerator();
            long renewed = b.leases().get(0).untilMillis();
            await().until(() -> b.leases().get(0).untilMillis() > renewed);
            int evicted = second.workerId();
            var unusedSlot = admin.evict(evicted);
            await().until(() -> second.workerId() != evicted);
            first.close();
            try (IdGenerator last = b.newGenerator();
                    IdGenerator reused = b.newGenerator()) {
                assertThat(List.of(last.workerId(), reused.workerId())).containsExactly(3, 0);
            }
            var unusedRegistry = admin.quarantine();
            // What an operator deletes comes back.
            String registry = "/life/snowlease/orders";
            ZKUtil.deleteRecursive(raw.zk, registry + "/nodes");
            ZKUtil.deleteRecursive(raw.zk, registry + "/bounds");
            ZKUtil.deleteRecursive(raw.zk, registry + "/id");
            raw.zk.delete(registry + "/time", -1);
            await().until(() -> raw.zk.exists(registry + "/bounds", false) != null
                    && raw.zk.exists(registry + "/time", false) != null
                    && !raw.zk.getChildren(registry + "/id", false).isEmpty());

            Map<String, List<ACL>> tree = Acls.tree(raw.zk, "/life");

            assertThat(tree)
                    .containsKeys("/life", "/life/snowlease", registry, registry + "/workers/worker-0000000002");
            assertThat(tree.values()).containsOnly(Acls.of("alice", "secret-of-alice"));
        }
    }

    @Test
    void withoutCredentialsEverythingIsOpen() throws Exception {
        init(as("/open", "op", null), LEASE);
        try (WorkerRegistry a = as("/open", "a", null).connect();
                RawClient raw = new RawClient(server.port())) {
            a.newGenerator().close();
            assertThat(Acls.tree(raw.zk, "/open").values()).containsOnly(Ids.OPEN_ACL_UNSAFE);
        }
    }

    // Refusals, at once whatever the start timeout

    @Test
    void missingAndWrongCredentialsAreRefusedAtOnce() {
        init(as("/closed", "op", "alice"), LEASE);
        String start = "ZooKeeper at 127.0.0.1:" + server.port() + "/closed refuses this node"
                + " /closed/snowlease/orders/time (NoAuth) while looking at the registry: it was made with ";

        assertRefused(as("/closed", "a", null), start + "credentials, and none were given; give them " + WAYS);
        assertRefused(
                as("/closed", "a", "mallory"),
                start + "other credentials than those of user 'mallory'; give the same user and password " + WAYS);
        assertRefused(
                as("/closed", "a", null).credentials("alice", "wrong"),
                start + "other credentials than those of user 'alice'; give the same user and password " + WAYS);
    }

    @Test
    void aChrootThatMayNotBeMadeIsNamed() throws Exception {
        try (RawClient raw = new RawClient(server.port())) {
            Acls.login(raw.zk, "root", "secret-of-root");
            raw.zk.create("/locked", new byte[0], Acls.of("root", "secret-of-root"), CreateMode.PERSISTENT);

            assertRefused(
                    as("/locked/alice", "a", "alice"),
                    "ZooKeeper at 127.0.0.1:" + server.port() + "/locked/alice does not let this node make"
                            + " /locked/alice (NoAuth) while looking at the registry: make it beforehand with all"
                            + " rights for user 'alice', or give credentials that may, " + WAYS);

            // As it says: no rights above are needed then.
            raw.zk.create("/locked/alice", new byte[0], Acls.of("alice", "secret-of-alice"), CreateMode.PERSISTENT);
            init(as("/locked/alice", "op", "alice"), LEASE);
            try (WorkerRegistry registry = as("/locked/alice", "a", "alice").connect()) {
                assertThat(registry.newGenerator().workerId()).isZero();
            }
        }
    }

    @Test
    void aHolderThatLosesItsRightsKeepsItsLeaseAndSaysWhyUntilItHasThemAgain() throws Exception {
        init(as("/lost", "op", "alice"), Duration.ofSeconds(15));
        try (WorkerRegistry registry = as("/lost", "a", "alice").connect();
                IdGenerator ids = registry.newGenerator();
                RawClient raw = new RawClient(server.port())) {
            Acls.login(raw.zk, "alice", "secret-of-alice");
            Acls.login(raw.zk, "root", "secret-of-root");
            String time = "/lost/snowlease/orders/time";
            raw.zk.setACL(time, Acls.of("root", "secret-of-root"), -1);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> registry.leases().get(0).state() == LeaseState.DEGRADED);
            assertThat(registry.leases().get(0).reason())
                    .startsWith("ZooKeeper at")
                    .contains(time + " (NoAuth)");

            raw.zk.setACL(time, Acls.of("alice", "secret-of-alice"), -1);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> registry.leases().get(0).state() == LeaseState.HELD);
            assertThat(ids.workerId()).isZero();
        }
    }

    // A registry that was made without

    @Test
    void anOpenRegistryStaysOpenWithAWarningUntilAnOperatorClosesIt() throws Exception {
        init(as("/older", "op", null), LEASE);
        String path = "/older/snowlease/orders";
        try (Logs logs = new Logs(Access.class.getName(), Level.TRACE);
                WorkerRegistry registry = as("/older", "b", "alice").connect();
                RawClient raw = new RawClient(server.port())) {
            Acls.login(raw.zk, "alice", "secret-of-alice");
            try (WorkerRegistry older = as("/older", "a", null).connect()) {
                older.newGenerator();
                registry.newGenerator();
                older.newGenerator();
            }
            assertThat(Acls.tree(raw.zk, path).values()).containsOnly(Ids.OPEN_ACL_UNSAFE);
            assertThat(logs.texts())
                    .containsExactly("ZooKeeper node " + path + " can be changed by everyone: it was made without"
                            + " credentials, and they protect nothing of it; once all its nodes have credentials, close"
                            + " it with zkCli: addauth digest user:password, then setAcl -R " + path + " auth::cdrwa");

            for (String node : ZKUtil.listSubTreeBFS(raw.zk, path)) {
                raw.zk.setACL(node, Ids.CREATOR_ALL_ACL, -1);
            }
            registry.newGenerator();
            registry.newGenerator();

            assertThat(Acls.tree(raw.zk, path).values()).containsOnly(Acls.of("alice", "secret-of-alice"));
            assertThat(logs.texts()).hasSize(1);
        }
    }

    @Test
    void aRegistryThatEveryoneMayReadIsNotOpen() throws Exception {
        init(as("/shown", "op", "alice"), LEASE);
        String path = "/shown/snowlease/orders";
        try (Logs logs = new Logs(Access.class.getName(), Level.TRACE);
                RawClient raw = new RawClient(server.port())) {
            Acls.login(raw.zk, "alice", "secret-of-alice");
            raw.zk.setACL(
                    path,
                    Acls.list(Acls.of("alice", "secret-of-alice").get(0), new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE)),
                    -1);
            try (WorkerRegistry registry = as("/shown", "a", "alice").connect()) {
                registry.newGenerator();
            }
            assertThat(raw.zk.getACL(path + "/workers/worker-0000000000", null))
                    .isEqualTo(Acls.of("alice", "secret-of-alice"));
            assertThat(logs.texts()).isEmpty();
        }
    }

    @Test
    void embeddedTakesNoCredentials() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> WorkerRegistry.builder()
                        .credentials("alice", "secret-of-alice")
                        .connect())
                .withMessage("embedded: has no access control, and credentials protect nothing there: leave them out,"
                        + " or use zookeeper://");
    }

    @Test
    void noLogAndNoExceptionHoldsThePassword() throws Exception {
        try (Logs logs = new Logs("ROOT", Level.TRACE)) {
            init(as("/quiet", "op", "alice"), LEASE);
            try (WorkerRegistry registry = as("/quiet", "a", "alice").connect();
                    IdGenerator ids = registry.newGenerator()) {
                assertThat(ids.nextId()).isPositive();
                endSession(TracedProvider.latest("orders").connection().handle());
                try (WorkerRegistry other = as("/quiet", "b", "alice").connect()) {
                    other.newGenerator().close();
                }
            }
            assertThatExceptionOfType(CoordinatorAccessException.class)
                    .isThrownBy(() -> as("/quiet", "c", "mallory").connect())
                    .satisfies(e -> assertThat(Logs.trace(e)).doesNotContain("secret-of"));
            assertThat(logs.texts()).hasSizeGreaterThan(50);
            assertThat(logs.texts()).noneMatch(AccessTest::holdsSecret);
        }
    }

    private void endSession(@Nullable ZooKeeper handle) throws Exception {
        new RawClient(server.port(), Objects.requireNonNull(handle)).close();
    }

    static boolean holdsSecret(String text) {
        return text.contains("secret-of")
                || text.contains("7365637265742d6f66") // in hex
                || text.contains("115, 101, 99, 114, 101, 116"); // byte by byte
    }

    private WorkerRegistryBuilder as(String chroot, String node, @Nullable String user) {
        WorkerRegistryBuilder builder = WorkerRegistry.builder()
                .coordinator("traced://127.0.0.1:" + server.port() + chroot)
                .namespace("orders")
                .node(node)
                .callTimeout(Duration.ofSeconds(30))
                .startTimeout(Duration.ofMinutes(4));
        return user == null ? builder : builder.credentials(user, "secret-of-" + user);
    }

    private static void init(WorkerRegistryBuilder builder, Duration lease) {
        try (RegistryAdmin admin = builder.openAdmin()) {
            var unused = admin.init(new RegistrySettings(null, lease, SKEW, new WorkerRange(0, 3)), true, 0);
        }
    }

    private static void assertRefused(WorkerRegistryBuilder builder, String message) {
        assertThatExceptionOfType(CoordinatorAccessException.class)
                .isThrownBy(builder::connect)
                .withMessage(message);
        try (RegistryAdmin admin = builder.openAdmin()) {
            assertThatExceptionOfType(CoordinatorAccessException.class)
                    .isThrownBy(admin::slots)
                    .withMessage(message);
        }
    }
}
