package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of the runnable jar's classes, which the build made, and with which all processes of tests start. */
class ClassSharingIT {
    @TempDir
    private Path folder;

    /** With {@code -Xshare:on} a JVM ends at once if it can't use the archive. */
    @Test
    void aJvmUsesTheArchiveThatTheBuildMade() {
        ProcessBuilder builder = Running.builder("decode", "1");
        builder.command().addAll(1, List.of("-Xshare:on", "-Xlog:class+load=info"));
        try (Running running = Running.start(folder, builder)) {
            assertThat(running.exitCode()).as(running.err()).isZero();
            assertThat(running.out()).contains("io.snowlease.generator.Layout source: shared objects file");
        }
    }
}
