package io.snowlease.registry;

import io.snowlease.generator.LeaseUser;
import io.snowlease.generator.WorkerLease;

/** A lease that is another in all but what a mutant overrides. */
class SimLease implements WorkerLease {
    private final WorkerLease real;

    SimLease(WorkerLease real) {
        this.real = real;
    }

    @Override
    public int workerId() {
        return real.workerId();
    }

    @Override
    public long notBeforeMillis() {
        return real.notBeforeMillis();
    }

    @Override
    public long untilMillis() {
        return real.untilMillis();
    }

    @Override
    public long epoch() {
        return real.epoch();
    }

    @Override
    public void attach(LeaseUser user) {
        real.attach(user);
    }

    @Override
    public void close() {
        real.close();
    }
}
