package io.snowlease.admin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.protocol.RegistryRecord;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code evict} and {@code quarantine} on a registry of this process, with somebody to ask or nobody. */
class OperatorCommandsTest {
    private final String namespace = "n-" + UUID.randomUUID();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private WorkerRegistry node;

    private record Answering(@Nullable String readLine) implements Terminal {
        @Override
        public boolean isThere() {
            return true;
        }
    }

    @BeforeEach
    @SuppressWarnings("MustBeClosedChecker") // the registry closes it
    void leaseWorker0() {
        node = builder().node("a").connect();
        assertThat(node.newGenerator().workerId()).isZero();
    }

    @AfterEach
    void close() {
        node.close();
    }

    private WorkerRegistryBuilder builder() {
        return WorkerRegistry.builder()
                .coordinator("memory:")
                .namespace(namespace)
                .leaseDuration(Duration.ofMinutes(10))
                .maxSkew(Duration.ofMinutes(1))
                .startTimeout(Duration.ZERO);
    }

    private String state() {
        try (RegistryAdmin admin = builder().openAdmin()) {
            return admin.slots().get(0).state().name();
        }
    }

    private RegistryRecord registry() {
        try (RegistryAdmin admin = builder().openAdmin()) {
            return admin.registry().orElseThrow();
        }
    }

    private int run(Terminal terminal, String... command) {
        return runIn(namespace, terminal, command);
    }

    private int runIn(String where, Terminal terminal, String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of("--coordinator", "memory:", "--namespace", where));
        return SnowleaseCommand.run(
                new Io(out, new PrintStream(err, true, StandardCharsets.UTF_8), terminal),
                Backend.real(),
                Map.of(),
                line.toArray(String[]::new));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    // Evict

    @Test
    void evictsAfterAYesAndSaysWhenTheSlotIsFree() {
        assertThat(run(new Answering(" Yes "), "evict", "0")).as(err()).isZero();
        assertThat(err())
                .matches("snowlease: evict worker 0, held by a \\(epoch 1\\)\\? It moves to another worker id, its ids"
                        + " stay valid; the slot is free at 20\\S+Z \\(in 1[01] min\\), later if it is renewed before you"
                        + " answer \\[y/N] ");
        assertThat(out())
                .matches("evicted worker 0, held by a \\(epoch 1\\): its ids stay valid; the slot is free at 20\\S+Z"
                        + " \\(in 1[01] min\\)\\R");
        assertThat(state()).isEqualTo("EVICTED");
    }

    @Test
    void evictsNobodyWithoutAYes() {
        for (String answer : new String[] {"", "n", "yeah", null}) {
            assertThat(run(new Answering(answer), "evict", "0")).isEqualTo(1);
            assertThat(err()).endsWith(" [y/N] snowlease: worker 0 was not evicted\n");
            assertThat(out()).isEmpty();
        }
        assertThat(state()).isEqualTo("HELD");
    }

    @Test
    void evictsWithoutAskingWhenToldSo() {
        assertThat(run(Terminal.NONE, "evict", "0", "--yes", "--json"))
                .as(err())
                .isZero();
        assertThat(err()).isEmpty();
        assertThat(out())
                .matches(
                        "\\{\"namespace\":\"" + namespace
                                + "\",\"worker\":0,\"node\":\"a\",\"epoch\":1,\"until\":\"20\\S+Z\",\"freeAt\":\"20\\S+Z\"}\\R");
    }

    @Test
    void refusesWithoutAskingWhatCantBeEvicted() {
        assertThat(run(new Answering("y"), "evict", "1")).isEqualTo(1);
        assertThat(run(Terminal.NONE, "evict", "1024", "--yes")).isEqualTo(1);
        assertThat(out()).isEmpty();
        assertThat(err())
                .isEqualTo("snowlease: worker 1 is not held: it was never leased; nothing was changed, see 'leases' for"
                        + " those that are held\n"
                        + "snowlease: no worker 1024 in namespace '" + namespace + "', whose worker ids are 0-1023: see"
                        + " 'leases' for those in use\n");
    }

    // Quarantine

    @Test
    void quarantinesAfterAYesAndSaysUntilWhen() {
        assertThat(run(new Answering("y"), "quarantine")).as(err()).isZero();
        String registry = "registry " + registry().registryId() + " of namespace '" + namespace + "' on memory:";
        assertThat(err())
                .isEqualTo("snowlease: quarantine " + registry + "? No new lease starts for 12 min; present holders go"
                        + " on. It can't be taken back [y/N] ");
        assertThat(out())
                .matches("quarantined " + registry + ": no new lease starts before 20\\S+Z \\(in 1[12] min\\); present"
                        + " holders go on\\R");
        assertThat(registry().quarantineUntil()).isPositive();
    }

    @Test
    void setsNoQuarantineWithoutAYes() {
        assertThat(run(new Answering("no"), "quarantine")).isEqualTo(1);
        assertThat(err()).endsWith(" [y/N] snowlease: no quarantine was set\n");
        assertThat(out()).isEmpty();
        assertThat(registry().quarantineUntil()).isZero();
    }

    @Test
    void quarantinesWithoutAskingWhenToldSo() {
        assertThat(run(Terminal.NONE, "quarantine", "--yes", "--json"))
                .as(err())
                .isZero();
        assertThat(err()).isEmpty();
        assertThat(out())
                .matches("\\{\"namespace\":\"" + namespace + "\",\"registryId\":\""
                        + registry().registryId() + "\",\"quarantineUntil\":\"20\\S+Z\"}\\R");
    }

    @Test
    void refusesWithoutAskingWhereThereIsNoRegistry() {
        assertThat(runIn("none", new Answering("y"), "quarantine")).isEqualTo(1);
        assertThat(runIn("none", new Answering("y"), "evict", "0")).isEqualTo(1);
        String line = "snowlease: no registry of namespace 'none' on coordinator memory:: make one with 'init', or let"
                + " the first node make it by connecting\n";
        assertThat(err()).isEqualTo(line + line);
        assertThat(out()).isEmpty();
    }
}
