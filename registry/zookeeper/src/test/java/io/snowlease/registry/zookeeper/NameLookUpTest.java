package io.snowlease.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * mybatis-plus #6683: a host name look-up takes 20 to 40 s where a resolver does not answer. ZooKeeper and Curator ask
 * for this host's name once, when their classes are loaded, for a log line; nothing else may ask for any.
 */
class NameLookUpTest {
    private static final Set<String> ASKERS = Set.of(
            "org.apache.zookeeper.Environment.list",
            "org.apache.curator.framework.CuratorFrameworkFactory.getLocalAddress");

    @Test
    @EnabledForJreRange(max = JRE.JAVA_23)
    void noneIsMadeToConnectOrForAnIdOrARenewal(@TempDir Path folder) throws Exception {
        EmbeddedServer server = Servers.start(folder);
        try {
            List<String> lines = run("zookeeper://127.0.0.1:" + server.port());

            assertThat(lines).last().isEqualTo("done");
            assertThat(lines.subList(0, lines.size() - 1)).allSatisfy(line -> {
                assertThat(line.replaceFirst("^.*?: (\\S+) .*", "$1")).isIn(ASKERS);
                assertThat(line).contains(".<clinit> <- ");
            });
        } finally {
            server.stop();
        }
    }

    @Test
    void aLoginThatIsConfiguredIsUsed() {
        assertThat(ZkConnection.clientConfig(null).isSaslClientEnabled()).isFalse();
        Configuration.setConfiguration(new Configuration() {
            @Override
            public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String name) {
                return name.equals("Client") ? new AppConfigurationEntry[0] : null;
            }
        });
        try {
            assertThat(ZkConnection.clientConfig(null).isSaslClientEnabled()).isTrue();
        } finally {
            Configuration.setConfiguration(null);
        }
    }

    private static List<String> run(String coordinator) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.security.manager=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LookUpProcess.class.getName(),
                        coordinator)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var out = process.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } finally {
            process.destroyForcibly();
        }
    }
}
