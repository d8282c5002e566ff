package io.snowlease.admin.sharing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes an archive of the classes that a server loads (class-data sharing, JEP 310). With it, one starts in about two
 * thirds of the time:
 *
 * <pre>{@code
 * java -cp snowlease.jar io.snowlease.admin.sharing.ClassSharing snowlease.jsa
 * java -XX:SharedArchiveFile=snowlease.jsa -jar snowlease.jar serve
 * }</pre>
 *
 * The archive is good for the same JVM and the same jar, at the same path; a JVM takes no notice of another one. Takes
 * some seconds: one JVM lists the classes, a second one dumps them.
 */
public final class ClassSharing {
    private static final long LONGEST_STEP_SECONDS = 120;

    private ClassSharing() {}

    /** Exits with 0 when the archive is there, replaced whole if there was one. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 1) {
            System.err.println("Usage: java -cp snowlease.jar " + ClassSharing.class.getName() + " ARCHIVE");
            System.exit(2);
        }
        Path archive = Path.of(args[0]).toAbsolutePath();
        Path folder = Files.createTempDirectory("snowlease-classes");
        try {
            make(archive, folder);
        } catch (IOException e) {
            System.err.println("snowlease: no archive of classes: " + e.getMessage());
            System.exit(1);
        } finally {
            delete(folder);
        }
    }

    private static void make(Path archive, Path folder) throws IOException, InterruptedException {
        String jar = Path.of(Objects.requireNonNull(System.getProperty("java.class.path"), "java.class.path"))
                .toAbsolutePath()
                .toString();
        Path list = folder.resolve("list");
        java(
                folder,
                "-Xshare:off",
                "-XX:TieredStopAtLevel=1",
                "-XX:DumpLoadedClassList=" + list,
                "-cp",
                jar,
                SampleRun.class.getName(),
                folder.toString());
        // Lambdas of classes that can't be archived crash a JVM 17 that dumps them.
        Path classes = folder.resolve("classes");
        try (Stream<String> lines = Files.lines(list, StandardCharsets.UTF_8)) {
            Files.write(classes, lines.filter(line -> !line.startsWith("@")).toList());
        }
        Path made = archive.resolveSibling(archive.getFileName() + ".new");
        java(folder, "-Xshare:dump", "-XX:SharedClassListFile=" + classes, "-XX:SharedArchiveFile=" + made, "-cp", jar);
        Files.move(made, archive, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void java(Path folder, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(Objects.requireNonNull(System.getProperty("java.home"), "java.home"), "bin", "java")
                .toString());
        command.addAll(List.of(options));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(LONGEST_STEP_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(command + " still runs after " + LONGEST_STEP_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException(command + " ended with " + process.exitValue() + ": "
                        + Files.readString(output, StandardCharsets.UTF_8));
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
