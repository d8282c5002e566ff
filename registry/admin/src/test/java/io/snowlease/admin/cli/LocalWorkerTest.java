package io.snowlease.admin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import io.snowlease.generator.local.LocalGenerator;
import io.snowlease.generator.local.WorkerIdSource;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.WorkerRegistry;
import io.snowlease.registry.WorkerRegistryBuilder;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code next --worker}: no coordinator is asked. */
class LocalWorkerTest {
    private static final Backend NONE = new Backend() {
        @Override
        public WorkerRegistry connect(WorkerRegistryBuilder builder) {
            throw new AssertionError("a coordinator was asked");
        }

        @Override
        public RegistryAdmin openAdmin(WorkerRegistryBuilder builder) {
            throw new AssertionError("a coordinator was asked");
        }
    };

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path data;

    private int next(String... more) {
        List<String> arguments = new ArrayList<>(List.of("next", "--data", data.toString()));
        arguments.addAll(List.of(more));
        return SnowleaseCommand.run(
                new Io(out, new PrintStream(err, true, StandardCharsets.UTF_8)),
                NONE,
                Map.of("SNOWLEASE_COORDINATOR", "zookeeper://nowhere"),
                arguments.toArray(String[]::new));
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private List<Long> ids() {
        return out.toString(StandardCharsets.UTF_8).lines().map(Long::parseLong).toList();
    }

    @Test
    void printsIdsOfTheWorkerAndGoesOnAboveThem() {
        assertThat(next("--worker", "fixed:7", "--count", "3000")).as(err()).isZero();
        assertThat(next("--worker", "fixed:7", "--count", "3000")).as(err()).isZero();

        assertThat(ids())
                .hasSize(6_000)
                .isSorted()
                .doesNotHaveDuplicates()
                .allMatch(id -> Layout.CLASSIC.decode(id).worker() == 7);
        assertThat(data.resolve("workers/default/7/journal")).isRegularFile();
        assertThat(err().lines())
                .hasSize(2)
                .allMatch(line ->
                        line.startsWith("snowlease: the worker id comes from fixed:7, not from a coordinator, and"
                                + " may not be this process's alone: "));
    }

    @Test
    void eachNamespaceAndWorkerIdHasAFolderUnlessOneIsNamed() {
        assertThat(next("--worker", "fixed:8", "--namespace", "orders")).isZero();
        assertThat(next("--worker", "fixed:9", "--journal", data.resolve("mine").toString()))
                .isZero();

        assertThat(data.resolve("workers/orders/8/journal")).isRegularFile();
        assertThat(data.resolve("mine/journal")).isRegularFile();
        assertThat(data.resolve("workers/default")).doesNotExist();
    }

    @Test
    void takesALayoutAndAKey() {
        assertThat(next("--worker", "fixed:7", "--layout", "sharded", "--key", "1029", "--count", "3"))
                .as(err())
                .isZero();
        assertThat(ids()).hasSize(3).allMatch(id -> id % 1024 == 5);
    }

    @Test
    void aWorkerIdThatTheLayoutCantHoldIsRefused() {
        assertThat(next("--worker", "fixed:32", "--layout", "js-safe")).isEqualTo(1);
        assertThat(err())
                .isEqualTo(
                        "snowlease: worker id must be 0 to 31 (5 worker bits): fixed:32 gives 32; use another source, or"
                                + " a layout with more worker bits\n");
        assertThat(out.size()).isZero();
    }

    @Test
    void aFolderThatIsInUseIsRefused() {
        Path folder = data.resolve("workers/default/7");
        try (IdGenerator held = LocalGenerator.open(Layout.CLASSIC, folder, WorkerIdSource.fixed(7))) {
            assertThat(next("--worker", "fixed:7")).isEqualTo(1);
            assertThat(err())
                    .isEqualTo("snowlease: a journal folder must serve one process at a time: " + folder
                            + " is in use by this process (pid "
                            + ProcessHandle.current().pid()
                            + "); stop that process, or give this one a folder of its own\n");
            assertThat(held.workerId()).isEqualTo(7);
        }
        assertThat(out.size()).isZero();
    }
}
