package io.snowlease.registry.redis;

import io.snowlease.registry.contract.LeaseStoreContract;
import io.snowlease.registry.spi.LeaseStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(Lifecycle.PER_CLASS)
class RedisStoreTest extends LeaseStoreContract {
    private RedisServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = new RedisServer(folder);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Override
    protected LeaseStore open(String namespace) {
        return Stores.open(server.uri(), namespace);
    }
}
