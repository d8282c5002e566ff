package io.snowlease.admin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.admin.FakeAdmin;
import io.snowlease.admin.FakeRegistry;
import io.snowlease.generator.Layout;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.RegistryRefusals;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import io.snowlease.registry.spi.MalformedRecordException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What {@code doctor} prints, and what it exits with. */
class DoctorCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void aHealthyNodeHasALineForEachCheck() {
        FakeAdmin admin = new FakeAdmin(FakeRegistry.record(Layout.CLASSIC));
        assertThat(run(backend(admin), "doctor")).isZero();
        assertThat(err()).isEmpty();
        assertThat(out()).isEqualTo("""
                ok       coordinator: 10.0.0.1:2181 answers, at best within 2 ms
                ok       servers: 1 of 1 can be used: 10.0.0.1:2181
                ok       registry: id of namespace 'default', made 1970-01-01T00:00:00.000Z: layout \
                41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z, D 60 s, S 5 s, workers 0-1023
                ok       quarantine: none runs: leases are granted
                ok       settings: none is stated, the registry's are adopted
                ok       lease-duration: D (60 s) is longer than S (5 s) and three calls
                ok       clock: this node's is within 3 ms of the coordinator's, tolerated are 5000 ms
                ok       layout: 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z lasts until 2094-09-07T15:47:35.552Z \
                (in 24707 d)
                ok       slots: 0 of 1024 worker ids (0-1023) are held
                ok       names: no two held worker ids have one node name
                """);
        assertThat(admin.isClosed()).isTrue();
    }

    @Test
    void aFailureIsExitCode1() {
        assertThat(run(backend(new FakeAdmin(FakeRegistry.record(Layout.CLASSIC))), "doctor", "--lease-duration", "3s"))
                .isEqualTo(1);
        assertThat(out())
                .contains("failure  settings: must be the registry's: --lease-duration=PT3S, the registry has PT1M:"
                        + " leave them out to adopt the registry's, or use another namespace\n");
    }

    @Test
    void aCoordinatorThatIsAwayIsAFailureAndItsServersAreAskedAllTheSame() {
        assertThat(run(backend(new FakeAdmin(null, RegistryRefusals.away())), "doctor"))
                .isEqualTo(1);
        assertThat(err()).isEmpty();
        assertThat(out())
                .startsWith("failure  coordinator: 10.0.0.1:2181 did not answer within 5000 ms: check that it runs and"
                        + " that this address is right\nok       servers: 1 of 1 can be used: 10.0.0.1:2181\n")
                .contains("\nok       layout: ");
    }

    @Test
    void recordsThatCantBeReadAreAFailure() {
        MalformedRecordException malformed = new MalformedRecordException("ZooKeeper node /x: no field 'until'", null);
        assertThat(run(backend(new FakeAdmin(null, malformed)), "doctor")).isEqualTo(1);
        assertThat(out())
                .startsWith("failure  records: ZooKeeper node /x: no field 'until': look at that place: it was written"
                        + " by something else, or damaged; before nodes connect to a restored backup, say"
                        + " 'quarantine'\n");
    }

    @Test
    void warningsAreNoFailureAndShowInJson() {
        String coordinator = "memory:" + UUID.randomUUID();
        assertThat(run(Backend.real(), "doctor", "--json", "--coordinator", coordinator))
                .as(err())
                .isZero();
        assertThat(out())
                .matches("\\{\"namespace\":\"default\",\"worst\":\"warning\",\"findings\":\\[\\{\"check\":"
                        + "\"coordinator\",\"level\":\"ok\",\"found\":\"memory: answers, at best within \\d+ ms\"},\\{"
                        + "\"check\":\"durability\",\"level\":\"warning\",\"found\":\"the data are in this process's"
                        + " memory, and are gone when it ends\",\"advice\":\"for anything but tests use embedded: or"
                        + " zookeeper://\"},.*}]}\\R");
    }

    @Test
    void makesNoRegistry() {
        String coordinator = "memory:" + UUID.randomUUID();
        assertThat(run(Backend.real(), "doctor", "--coordinator", coordinator)).isZero();
        assertThat(run(Backend.real(), "leases", "--coordinator", coordinator)).isEqualTo(1);
        assertThat(err()).startsWith("snowlease: no registry of namespace 'default'");
    }

    @Test
    void wrongUsageIsExitCode2() {
        assertThat(run(Backend.real(), "doctor", "--coordinator", "etcd://x")).isEqualTo(2);
        assertThat(out()).isEmpty();
    }

    private int run(Backend backend, String... arguments) {
        return SnowleaseCommand.run(
                new Io(out, new PrintStream(err, true, StandardCharsets.UTF_8)), backend, Map.of(), arguments);
    }

    private static Backend backend(RegistryAdmin admin) {
        return new Backend() {
            @Override
            public WorkerRegistry connect(WorkerRegistryBuilder builder) {
                throw new UnsupportedOperationException();
            }

            @Override
            public RegistryAdmin openAdmin(WorkerRegistryBuilder builder) {
                return admin;
            }
        };
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
