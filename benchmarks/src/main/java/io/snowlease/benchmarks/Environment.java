package io.snowlease.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;

/** What the figures depend on. */
final class Environment {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private Environment() {}

    static String describe(boolean quick) {
        Properties versions = versions();
        return "Snowlease " + versions.getProperty("snowlease") + ", Agrona " + versions.getProperty("agrona")
                + ", JMH " + versions.getProperty("jmh") + (quick ? " (quick run)" : "") + "\\\n"
                + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version")
                + ", default flags\\\n"
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", "
                + Runtime.getRuntime().availableProcessors() + " CPUs, " + cpuModel() + "\n\n";
    }

    private static Properties versions() {
        Properties versions = new Properties();
        try (InputStream in = Environment.class.getResourceAsStream("versions.properties")) {
            if (in == null) {
                throw new IllegalStateException("versions.properties must be beside the classes: build with ./run");
            }
            versions.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return versions;
    }

    private static String cpuModel() {
        if (!Files.isReadable(CPU_INFO)) {
            return "unknown model";
        }
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown model");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
