package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The {@code snowlease} script in a checkout of its own, with a Maven that copies a jar and keeps count. */
class ScriptIT {
    private static final String JAR = Objects.requireNonNull(System.getProperty("snowlease.jar"), "snowlease.jar");

    @TempDir
    Path folder;

    private Path checkout;
    private Path source;
    private Path bin;

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = folder.resolve("check out");
        source = checkout.resolve("generator/src/main/java/A.java");
        bin = Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(checkout.resolve(".mvn"));
        Files.createDirectories(Objects.requireNonNull(source.getParent(), "parent"));
        Files.createDirectories(checkout.resolve("registry/admin/src/main"));
        for (String file : List.of("pom.xml", "generator/pom.xml", "registry/admin/pom.xml")) {
            Files.writeString(checkout.resolve(file), "");
        }
        Files.writeString(source, "");
        Files.copy(
                Path.of(Objects.requireNonNull(System.getProperty("snowlease.script"), "snowlease.script")),
                checkout.resolve("snowlease"));
        fakeMaven("mkdir -p registry/admin/target && cp '" + JAR + "' registry/admin/target/snowlease.jar");
    }

    @Test
    void buildsOnFirstUseAndNotAgain() throws Exception {
        Result first = run("--version");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.out()).matches("snowlease \\S+\\R");
        assertThat(first.err()).isEqualTo("snowlease: building (first use)…\n");

        Result second = run("--version");
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(second.err()).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void buildsAgainWhenASourceHasChanged() throws Exception {
        assertThat(run("--version").code()).isZero();
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));

        assertThat(run("--version").err()).isEqualTo("snowlease: building (sources have changed)…\n");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void buildsAgainWhenASourceWasDeleted() throws Exception {
        assertThat(run("--version").code()).isZero();
        Path parent = Objects.requireNonNull(source.getParent(), "parent");
        Files.delete(source);
        Files.setLastModifiedTime(parent, FileTime.from(Instant.now().plusSeconds(60)));

        assertThat(run("--version").err()).isEqualTo("snowlease: building (sources have changed)…\n");
    }

    @Test
    void buildsOnceForCallersThatComeTogether() throws Exception {
        List<Process> together = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            together.add(builder("--version").start());
        }
        for (Process process : together) {
            Result result = resultOf(process);
            assertThat(result.code()).as(result.err()).isZero();
            assertThat(result.out()).startsWith("snowlease ");
        }
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void waitsWithoutFlockToo() throws Exception {
        for (String tool : List.of(
                "bash",
                "cat",
                "cp",
                "dirname",
                "find",
                "head",
                "kill",
                "mkdir",
                "mv",
                "readlink",
                "rm",
                "sed",
                "sleep",
                "tail",
                "touch")) {
            Path real = List.of("/bin", "/usr/bin").stream()
                    .map(place -> Path.of(place, tool))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow();
            script(bin.resolve(tool), "exec " + real + " \"$@\"");
        }
        List<Process> together = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ProcessBuilder builder = builder("--version");
            builder.environment().put("PATH", bin.toString());
            together.add(builder.start());
        }
        for (Process process : together) {
            Result result = resultOf(process);
            assertThat(result.code()).as(result.err()).isZero();
        }
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void runsThroughALinkAndFromAnywhere() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), checkout.resolve("snowlease"));
        ProcessBuilder builder = builder("--version");
        builder.command().set(1, link.toString());
        builder.directory(Path.of("/").toFile());

        assertThat(resultOf(builder.start()).out()).startsWith("snowlease ");
    }

    @Test
    void doesNotAskMavenOnceItIsBuilt() throws Exception {
        assertThat(run("--version").code()).isZero();
        fakeMaven("exit 1");

        assertThat(run("--version").code()).isZero();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void showsTheEndOfABuildThatFailed() throws Exception {
        fakeMaven("for i in $(seq 1 100); do echo \"line $i\"; done; exit 1");

        Result result = run("next");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .startsWith("snowlease: building (first use)…\nline 71\n")
                .endsWith("line 100\nsnowlease: the build failed, see "
                        + checkout.toRealPath().resolve("target/run/build.log") + "\n");
    }

    @Test
    void refusesAnOldJava() throws Exception {
        Path home = Files.createDirectories(folder.resolve("jdk11/bin"));
        script(home.resolve("java"), "exit 0");
        Files.writeString(folder.resolve("jdk11/release"), "JAVA_VERSION=\"11.0.2\"\n");
        ProcessBuilder builder = builder("--version");
        builder.environment().put("JAVA_HOME", folder.resolve("jdk11").toString());

        Result result = resultOf(builder.start());
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
                .isEqualTo("snowlease: java must be of version 17 or newer: " + home.resolve("java") + " is 11\n");
    }

    @Test
    void passesOptionsToTheJvm() throws Exception {
        ProcessBuilder builder = builder("--version");
        builder.environment().put("SNOWLEASE_JAVA_OPTS", "-Xmx64m -XshowSettings:vm");

        assertThat(resultOf(builder.start()).err()).contains("Max. Heap Size: 64.00M");
    }

    private void fakeMaven(String what) throws IOException {
        script(bin.resolve("mvn"), "echo build >>'" + folder.resolve("builds") + "'\n" + what);
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/bash\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private int builds() throws IOException {
        return Files.readAllLines(folder.resolve("builds")).size();
    }

    private ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>(
                List.of("/bin/bash", checkout.resolve("snowlease").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("SNOWLEASE_JAVA_OPTS");
        return builder;
    }

    private Result run(String... arguments) throws Exception {
        return resultOf(builder(arguments).start());
    }

    private static Result resultOf(Process process) throws Exception {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), out, err);
    }

    private record Result(int code, String out, String err) {}
}
