package io.snowlease.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.registry.contract.LeaseStoreContract;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.StoreCredentials;
import io.snowlease.registry.spi.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The whole contract with credentials; in the end, there is no node that others could use. */
@TestInstance(Lifecycle.PER_CLASS)
class ProtectedStoreTest extends LeaseStoreContract {
    private static final StoreOptions ALICE = new StoreOptions(
            Duration.ofSeconds(30), null, 0, true, StoreCredentials.of("alice", "correct:horse battery"), null);

    private EmbeddedServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = Servers.start(folder);
    }

    @AfterAll
    void everyNodeBelongsToTheUserAlone() throws Exception {
        try (RawClient raw = new RawClient(server.port())) {
            Acls.login(raw.zk, "alice", "correct:horse battery");
            Map<String, List<ACL>> tree = Acls.tree(raw.zk, "/test");
            assertThat(tree).hasSizeGreaterThan(100);
            assertThat(tree.values()).containsOnly(Acls.of("alice", "correct:horse battery"));
        } finally {
            server.stop();
        }
    }

    @Override
    protected LeaseStore open(String namespace) {
        return Servers.open(server.port(), namespace, ALICE, operation -> {});
    }
}
