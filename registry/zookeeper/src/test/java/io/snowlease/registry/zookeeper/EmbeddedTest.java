package io.snowlease.registry.zookeeper;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.snowlease.registry.CoordinatorUnavailableException;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreOptions;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZKUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code embedded:} in one process and in several. */
class EmbeddedTest {
    private static final URI EMBEDDED = URI.create("embedded:/");

    private final List<ZooKeeperStore> stores = new ArrayList<>();

    @TempDir
    private Path parent;

    @AfterEach
    void closeStores() {
        stores.forEach(ZooKeeperStore::close);
    }

    @Test
    void startsOneServerForAllStoresOfAProcessAndStopsItWithTheLast() {
        ZooKeeperStore first = open("orders");
        RegistryView made = makeRegistry(first, 0, 3);
        ZooKeeperStore second = open("orders");
        assertThat(second.view().record()).isEqualTo(made.record());
        assertThat(second.servers()).isEqualTo(first.servers());

        first.close();
        first.close();
        assertThat(second.view().record()).isEqualTo(made.record());
        int port = portOf(second);
        second.close();

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close());
        assertThat(open("orders").view().record()).isEqualTo(made.record());
    }

    @Test
    void theFolderIsItsOwnersAlone() throws Exception {
        open("orders");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder().resolve("data"))))
                .isEqualTo("rwx------");
    }

    @Test
    void knowsThatANamespaceIsNeverUsedInAFolderItHasMade() throws Exception {
        ZooKeeperStore orders = open("orders");
        ZooKeeperStore payments = open("payments");
        assertThat(orders.view().record()).isNull();
        assertThat(orders.isNeverUsed()).isTrue();

        makeRegistry(orders, 0, 3);
        assertThat(orders.isNeverUsed()).isFalse();
        assertThat(payments.isNeverUsed()).isTrue();

        try (RawClient raw = new RawClient(portOf(orders))) {
            ZKUtil.deleteRecursive(raw.zk, "/snowlease/orders");
        }
        assertThat(orders.isNeverUsed()).isFalse();
        try (RawClient raw = new RawClient(portOf(orders))) {
            ZKUtil.deleteRecursive(raw.zk, "/snowlease");
        }
        assertThat(orders.view().record()).isNull();
        assertThat(orders.isNeverUsed()).isFalse();
    }

    @Test
    void stillKnowsItAfterARestart() {
        open("orders").close();

        ZooKeeperStore orders = open("orders");
        assertThat(orders.view().record()).isNull();
        assertThat(orders.isNeverUsed()).isTrue();
        makeRegistry(orders, 0, 3);
        orders.close();

        assertThat(open("orders").isNeverUsed()).isFalse();
        assertThat(open("payments").isNeverUsed()).isTrue();
    }

    @Test
    void doesNotTakeANamespaceForNeverUsedInAFolderThatDoesNotSaySo() throws Exception {
        open("orders").close();
        Files.delete(folder().resolve("root"));

        assertThat(open("orders").isNeverUsed()).isFalse();
    }

    @Test
    void namesThePortThatIsTakenAndWhatToDo() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            int port = other.getLocalPort();

            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> open("orders", Servers.embedded(folder(), port)))
                    .withMessage("port " + port + " of 127.0.0.1, wanted for the embedded ZooKeeper of "
                            + folder().toRealPath() + ", is taken by another program: choose another with"
                            + " --embedded-port (0 for any free one), or use the data folder of the ZooKeeper that"
                            + " runs there with --data");
        }
        assertThat(open("orders").view().record()).isNull();
    }

    @Test
    void saysThatNothingRunsWhenItMayNotStartIt() throws Exception {
        StoreOptions connectOnly = new StoreOptions(Duration.ofSeconds(10), folder(), 0, false);

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> open("orders", connectOnly))
                .withMessage("no embedded ZooKeeper is running on " + folder()
                        + ": start one (snowlease serve, or any node with embedded:), or name its folder with --data");
        assertThat(folder()).doesNotExist();
        open("orders").close();
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> open("orders", connectOnly));
    }

    @Test
    void namesAFolderThatCannotBeUsed() throws Exception {
        Files.writeString(folder(), "a file");

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> open("orders"))
                .withMessage("the data folder " + folder() + " of the embedded ZooKeeper can't be used:"
                        + " java.nio.file.FileAlreadyExistsException: " + folder() + "; choose another with --data");
    }

    @Test
    void refusesAnythingAfterTheColon() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ZooKeeperStoreProvider.open(
                        URI.create("embedded:here"), "orders", StoreOptions.DEFAULTS, operation -> {}))
                .withMessage("must be embedded: with nothing after it (the data folder is an option):"
                        + " uri=embedded:here");
    }

    @Test
    void twoProcessesOnOneFolderShareOneServer() throws Exception {
        try (EmbeddedProcess one = new EmbeddedProcess(folder(), 0)) {
            String first = one.claim("one");
            try (EmbeddedProcess two = new EmbeddedProcess(folder(), 0)) {
                String second = two.claim("two");

                assertThat(first).startsWith("0 at ");
                assertThat(second).isEqualTo(first.replaceFirst("^0", "1"));
            }
        }
    }

    @Test
    void aProcessThatIsKilledIsReplacedByASurvivorWithAllItsData() throws Exception {
        try (EmbeddedProcess one = new EmbeddedProcess(folder(), 0)) {
            assertThat(one.claim("one")).startsWith("0 at ");
            ZooKeeperStore survivor = open("orders");
            ZooKeeperStore connectOnlyToo = open("orders");
            RegistryView view = survivor.view();
            SlotRecord zero = survivor.list().get(0);

            one.kill();

            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(survivor.view().record()).isEqualTo(view.record()));
            assertThat(survivor.list()).containsExactly(zero);
            assertThat(claimNew(connectOnlyToo, view, "two", T).worker()).isEqualTo(1);
            try (EmbeddedProcess three = new EmbeddedProcess(folder(), 0)) {
                assertThat(three.claim("three")).startsWith("2 at 127.0.0.1:" + portOf(survivor));
            }
        }
    }

    @Test
    void namesTheFolderWhoseServerIsInAnotherProcessAndDoesNotAnswer() throws Exception {
        try (EmbeddedProcess one = new EmbeddedProcess(folder(), 0)) {
            String address = one.claim("one").split(" ", 4)[2];
            one.freeze();
            WorkerRegistryBuilder builder = WorkerRegistry.builder()
                    .coordinator("embedded:")
                    .dataFolder(folder())
                    .callTimeout(Duration.ofMillis(300))
                    .startTimeout(Duration.ofMillis(500));
            String where = "embedded ZooKeeper of " + folder().toRealPath() + " (expected in another process)";

            assertThatExceptionOfType(CoordinatorUnavailableException.class)
                    .isThrownBy(builder::connect)
                    .withMessage("coordinator " + address + " (" + where + ") did not answer within 500 ms (no"
                            + " connection to " + where + " within 300 ms while looking at the registry): check that it"
                            + " runs and that this address is right");
        }
    }

    /**
     * While nobody serves the folder, its port may go to another ZooKeeper: that is not ours. Here the folder says so
     * before its server ends, as the survivor would be faster than the stranger otherwise.
     */
    @Test
    void aSurvivorFindsItsServerOnAnotherPortAndIsNotFooledByAStranger(@TempDir Path elsewhere) throws Exception {
        EmbeddedServer stranger = Servers.start(elsewhere);
        try (FaultyLink strangersPort = new FaultyLink(stranger.port());
                EmbeddedProcess one = new EmbeddedProcess(folder(), 0)) {
            one.claim("one");
            ZooKeeperStore survivor = open("orders");
            RegistryView view = survivor.view();
            Files.writeString(folder().resolve("port"), strangersPort.port() + "\n");
            StoreOptions patient = new StoreOptions(Duration.ofMinutes(2), folder(), 0, true);
            ZooKeeperStore newcomer = open("orders", patient);
            CompletableFuture<RegistryView> seen = CompletableFuture.supplyAsync(newcomer::view);
            // The second connection comes after the first has shown whose server it is.
            await().atMost(Duration.ofSeconds(60)).until(() -> strangersPort.accepted() > 1);
            assertThat(seen).isNotDone();

            one.kill();

            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(survivor.view().record()).isEqualTo(view.record()));
            assertThat(seen.get(60, TimeUnit.SECONDS).record()).isEqualTo(view.record());
            assertThat(portOf(survivor)).isNotEqualTo(strangersPort.port());
            assertThat(stranger.isRunning()).isTrue();
        } finally {
            closeStores();
            stranger.stop();
        }
    }

    private Path folder() {
        return parent.resolve("snowlease");
    }

    private ZooKeeperStore open(String namespace) {
        return open(namespace, Servers.embedded(folder(), 0));
    }

    private ZooKeeperStore open(String namespace, StoreOptions options) {
        ZooKeeperStore store = ZooKeeperStoreProvider.open(EMBEDDED, namespace, options, operation -> {});
        stores.add(store);
        return store;
    }

    private static int portOf(ZooKeeperStore store) {
        String address = store.servers().split(" ", 2)[0];
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }
}
