package io.snowlease.registry.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Where redis-server and redis-cli are: installed, or fetched by {@code ./verify} into the cache of the user. */
final class RedisBinaries {
    private static final String MISSING = "redis-server and redis-cli are not to be had: install them (apt-get install"
            + " redis-server), or run ./verify once, which fetches them where it may; looked in ";

    private RedisBinaries() {}

    /** A process that is yet to be started. */
    static ProcessBuilder process(String program, List<String> arguments) {
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
        try (var folders = Files.find(
                fetched,
                4,
                (path, attributes) -> path.endsWith("usr/lib/" + path.getFileName())
                        && path.getFileName().toString().endsWith("-linux-gnu"))) {
            environment.put(
                    "LD_LIBRARY_PATH",
                    String.join(":", folders.map(Path::toString).toList()));
        } catch (java.io.IOException e) {
            throw new AssertionError("can't be read: " + fetched, e);
        }
    }
}
