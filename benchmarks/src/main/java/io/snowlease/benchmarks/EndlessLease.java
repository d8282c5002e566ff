package io.snowlease.benchmarks;

import io.snowlease.generator.LeaseUser;
import io.snowlease.generator.WorkerLease;

/** Worker 1, without an end: what is measured is the generator. */
record EndlessLease() implements WorkerLease {
    @Override
    public int workerId() {
        return 1;
    }

    @Override
    public long notBeforeMillis() {
        return 0;
    }

    @Override
    public long untilMillis() {
        return Long.MAX_VALUE;
    }

    @Override
    public long epoch() {
        return 1;
    }

    @Override
    public void attach(LeaseUser user) {}

    @Override
    public void close() {}
}
