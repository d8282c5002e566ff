package io.snowlease.it.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The compose files and the Kubernetes manifest can be read, and hold together. */
class ManifestsTest {
    @ParameterizedTest
    @ValueSource(strings = {"zookeeper.yml", "redis.yml"})
    void composeFilesGiveEachNodeAJournalAndAPortOfItsOwn(String file) throws IOException {
        Map<?, ?> compose = documents(file).get(0);
        Map<?, ?> services = map(compose.get("services"));
        Map<?, ?> volumes = map(compose.get("volumes"));

        for (int node = 1; node <= 3; node++) {
            Map<?, ?> service = map(services.get("node" + node));
            assertThat(service.get("image")).isEqualTo("${SNOWLEASE_IMAGE:-snowlease}");
            assertThat(service.get("volumes"))
                    .isEqualTo(List.of("node" + node + "-journal:/var/lib/snowlease/journal"));
            assertThat(service.get("ports")).isEqualTo(List.of("127.0.0.1:707" + node + ":7070"));
            assertThat(volumes.containsKey("node" + node + "-journal")).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zookeeper.yml", "redis.yml"})
    void composeFilesDeclareEveryVolume(String file) throws IOException {
        Map<?, ?> compose = documents(file).get(0);
        List<String> used = map(compose.get("services")).values().stream()
                .map(ManifestsTest::map)
                .flatMap(service -> service.get("volumes") instanceof List<?> mounts ? mounts.stream() : Stream.empty())
                .map(mount -> mount.toString().replaceFirst(":.*", ""))
                .toList();

        assertThat(map(compose.get("volumes")).keySet().stream().map(Object::toString))
                .containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void kubernetesGivesEachPodAJournalAndTimeToDrain() throws IOException {
        List<Map<?, ?>> documents = documents("kubernetes.yml");
        assertThat(documents.stream().map(document -> String.valueOf(document.get("kind"))))
                .containsExactly(
                        "ConfigMap", "Service", "Service", "PodDisruptionBudget", "NetworkPolicy", "StatefulSet");
        Map<?, ?> set = map(documents.get(5).get("spec"));
        Map<?, ?> pod = map(map(set.get("template")).get("spec"));
        Map<?, ?> container = map(list(pod.get("containers")).get(0));

        assertThat(list(container.get("volumeMounts")))
                .contains(Map.of("name", "journal", "mountPath", "/var/lib/snowlease/journal"));
        assertThat(map(map(list(set.get("volumeClaimTemplates")).get(0)).get("metadata")))
                .isEqualTo(Map.of("name", "journal"));
        assertThat(map(container.get("lifecycle")).get("preStop"))
                .isEqualTo(Map.of("exec", Map.of("command", List.of("sleep", "5"))));
        assertThat(pod.get("terminationGracePeriodSeconds")).isEqualTo(30);
        assertThat(map(container.get("readinessProbe")).get("exec"))
                .isEqualTo(Map.of("command", List.of("snowlease-health")));
        assertThat(map(container.get("livenessProbe")).get("exec"))
                .isEqualTo(Map.of("command", List.of("snowlease-health", "--live")));
    }

    private static List<Map<?, ?>> documents(String file) throws IOException {
        List<Map<?, ?>> documents = new ArrayList<>();
        try (Reader reader =
                Files.newBufferedReader(Docker.root().resolve("docker").resolve(file))) {
            for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(reader)) {
                documents.add(map(document));
            }
        }
        return documents;
    }

    private static Map<?, ?> map(@Nullable Object value) {
        assertThat(value).isInstanceOf(Map.class);
        return (Map<?, ?>) value;
    }

    private static List<Object> list(@Nullable Object value) {
        assertThat(value).isInstanceOf(List.class);
        return new ArrayList<>((List<?>) value);
    }
}
