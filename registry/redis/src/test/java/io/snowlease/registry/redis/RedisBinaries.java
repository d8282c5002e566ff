package io.snowlease.registry.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where redis-server and redis-cli are: installed, or fetched by {@code ./verify} into the cache of the user. */
public final class RedisBinaries {
    private static final String MISSING = "redis-server and redis-cli are not to be had: install them (apt-get install"
            + " redis-server), or run ./verify once, which fetches them where it may; looked in ";

    private RedisBinaries() {}

    /** A process that is yet to be started. */
    public static ProcessBuilder process(String program, List<String> arguments) {
        List<Path> looked = new ArrayList<>();
        for (String folder : System.getenv("PATH").split(":", -1)) {
            looked.add(Path.of(folder));
        }
        Path fetched = fetched();
        looked.add(fetched.resolve("usr/bin"));
        for (Path folder : looked) {
            Path found = folder.resolve(program);
            if (Files.isExecutable(found)) {
                List<String> command = new ArrayList<>(List.of(found.toString()));
                command.addAll(arguments);
                ProcessBuilder process = new ProcessBuilder(command);
                if (found.startsWith(fetched)) {
                    addLibraries(fetched, process.environment());
                }
                return process;
            }
        }
        throw new AssertionError(MISSING + looked);
    }

    private static Path fetched() {
        String stated = System.getenv("XDG_CACHE_HOME");
        Path cache = stated == null || stated.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(stated);
        return cache.resolve("snowlease/redis");
    }

    private static void addLibraries(Path fetched, Map<String, String> environment) {
        Path libraries = fetched.resolve("usr/lib");
        try (Stream<Path> folders = Files.list(libraries)) {
            environment.put("LD_LIBRARY_PATH", folders.map(Path::toString).collect(Collectors.joining(":")));
        } catch (IOException e) {
            throw new AssertionError("can't be read: " + libraries, e);
        }
    }
}
