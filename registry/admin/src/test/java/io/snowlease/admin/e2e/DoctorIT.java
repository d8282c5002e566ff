package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code doctor} as a process, with a coordinator and without. */
class DoctorIT {
    @TempDir
    Path folder;

    @Test
    void findsNothingWrongBesideAServerThatRuns() throws Exception {
        Path data = folder.resolve("data");
        Path journal = folder.resolve("journal");
        try (Server server = Server.start(data, "a").awaitReady();
                Running doctor = doctor("--data", data.toString(), "--journal", journal.toString());
                Running json = doctor("--data", data.toString(), "--json")) {
            assertThat(server.worker()).isZero();
            assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
            assertThat(doctor.err()).isEmpty();
            assertThat(doctor.outLines())
                    .hasSize(12)
                    .noneMatch(line -> line.startsWith("failure"))
                    .anyMatch(line -> line.startsWith("ok       clock: this node's is within "))
                    .contains("ok       slots: 1 of 1024 worker ids (0-1023) are held");
            assertThat(journal).doesNotExist();

            assertThat(json.exitCode()).as(json.out() + json.err()).isZero();
            assertThat(levels(json.out()))
                    .containsEntry("coordinator", "ok")
                    .containsEntry("clock", "ok")
                    .containsEntry("names", "ok");

            String port = Files.readString(data.resolve("port")).trim();
            try (Running remote = doctor("--coordinator", "zookeeper://127.0.0.1:" + port)) {
                assertThat(remote.exitCode()).as(remote.out() + remote.err()).isZero();
                assertThat(remote.outLines())
                        .contains(
                                "ok       servers: 1 of 1 can be used: 127.0.0.1:" + port + " (standalone)",
                                "warning  durability: one server, without a copy of its data: use an ensemble of three:"
                                        + " with this disk the bounds of all leases are lost");
            }
        }
    }

    @Test
    void saysThatTheCoordinatorIsAway() {
        try (Running doctor = doctor("--coordinator", "zookeeper://127.0.0.1:1")) {
            assertThat(doctor.exitCode()).isEqualTo(1);
            assertThat(doctor.err()).isEmpty();
            assertThat(doctor.outLines().get(0))
                    .startsWith("failure  coordinator: 127.0.0.1:1 did not answer within 5000 ms (");
            assertThat(doctor.outLines().get(1))
                    .isEqualTo("failure  servers: 0 of 1 can be used: 127.0.0.1:1 (Connection refused): check that they"
                            + " run and that these addresses are right");
        }
    }

    @Test
    void startsNoEmbeddedCoordinator() {
        Path data = folder.resolve("none");
        try (Running doctor = doctor("--data", data.toString())) {
            assertThat(doctor.exitCode()).isEqualTo(1);
            assertThat(doctor.outLines().get(0))
                    .isEqualTo("failure  coordinator: no embedded ZooKeeper is running on " + data
                            + ": start one (snowlease serve, or any node with embedded:), or name its folder with"
                            + " --data");
            assertThat(data).doesNotExist();
        }
    }

    private Running doctor(String... more) {
        List<String> arguments = new ArrayList<>(List.of("doctor"));
        arguments.addAll(List.of(more));
        return Running.start(folder, arguments.toArray(String[]::new));
    }

    private static Map<String, String> levels(String text) throws IOException {
        Map<String, String> levels = new TreeMap<>();
        try (JsonParser json = new JsonFactory().createParser(text)) {
            String check = "";
            while (json.nextToken() != null) {
                if ("check".equals(json.currentName())) {
                    check = json.getText();
                } else if ("level".equals(json.currentName())) {
                    levels.put(check, json.getText());
                }
            }
        }
        return levels;
    }
}
