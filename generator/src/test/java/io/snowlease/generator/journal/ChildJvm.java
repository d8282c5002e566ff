package io.snowlease.generator.journal;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Starts main classes of the tests in JVMs of their own, on the class path. */
public final class ChildJvm {
    private ChildJvm() {}

    /** Its error output goes where this process's goes. */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                rootOf(main) + System.getProperty("path.separator") + rootOf(Journal.class),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static Path rootOf(Class<?> type) {
        URL url = Objects.requireNonNull(type.getResource(type.getSimpleName() + ".class"));
        try {
            Path file = Path.of(url.toURI());
            int depth = type.getName().split("\\.", -1).length;
            for (int i = 0; i < depth; i++) {
                file = Objects.requireNonNull(file.getParent());
            }
            return file;
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
