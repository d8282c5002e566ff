package io.snowlease.registry.zookeeper;

import io.snowlease.registry.contract.LeaseStoreContract;
import io.snowlease.registry.spi.LeaseStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(Lifecycle.PER_CLASS)
class ZooKeeperStoreTest extends LeaseStoreContract {
    private EmbeddedServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = Servers.start(folder);
    }

    @AfterAll
    void stop() throws Exception {
        server.stop();
    }

    @Override
    protected LeaseStore open(String namespace) {
        return Servers.open(server.port(), namespace);
    }
}
