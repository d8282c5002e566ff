package io.snowlease.benchmarks;

import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * One line of the table.
 *
 * @param method the benchmark's method
 * @param threads how many threads ran it
 * @param idsPerMilli ids per ms, all threads together
 * @param error half of the 99.9 % confidence interval
 * @param bytesPerId bytes allocated per id
 */
record Measured(String method, int threads, double idsPerMilli, double error, double bytesPerId) {
    static Measured of(RunResult result) {
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        if (allocated == null) {
            throw new IllegalStateException("the gc profiler must report gc.alloc.rate.norm: " + result);
        }
        Result<?> primary = result.getPrimaryResult();
        String benchmark = result.getParams().getBenchmark();
        return new Measured(
                benchmark.substring(benchmark.lastIndexOf('.') + 1),
                result.getParams().getThreads(),
                primary.getScore(),
                primary.getScoreError(),
                allocated.getScore());
    }
}
