package io.snowlease.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs everything on 1 and 2 threads and prints a table; ends with 1 when a bar is missed. */
public final class Benchmarks {
    private Benchmarks() {}

    /** {@code --quick}: one fork and few iterations, for a first look. */
    public static void main(String[] args) throws RunnerException {
        boolean quick = List.of(args).contains("--quick");
        System.err.println("Measuring, for about " + (quick ? "1 minute" : "5 minutes") + "; leave the machine alone.");
        List<Measured> measured = new ArrayList<>();
        for (int threads = 1; threads <= 2; threads++) {
            for (RunResult result : run(threads, quick)) {
                measured.add(Measured.of(result));
            }
        }
        ResultTable table = new ResultTable(measured);
        System.out.print(Environment.describe(quick) + table.toMarkdown());
        System.exit(table.allBarsMet() ? 0 : 1);
    }

    private static Iterable<RunResult> run(int threads, boolean quick) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(GeneratorBenchmark.class.getName() + "\\..*")
                        .threads(threads)
                        .forks(quick ? 1 : 3)
                        .warmupIterations(quick ? 2 : 5)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(quick ? 3 : 5)
                        .measurementTime(TimeValue.seconds(1))
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .run();
    }
}
