package io.snowlease.generator.local;

import io.snowlease.generator.LeaseUser;
import io.snowlease.generator.WorkerLease;
import java.nio.file.Path;

/** All timestamps from the floor to the layout's end; granted by nobody, bounded by the journal that it is recorded in. */
final class LocalLease implements WorkerLease {
    private final int workerId;
    private final long epoch;
    private final long notBeforeMillis;
    private final long endMillis;
    private final Path journalFolder;

    LocalLease(int workerId, long epoch, long notBeforeMillis, long endMillis, Path journalFolder) {
        this.workerId = workerId;
        this.epoch = epoch;
        this.notBeforeMillis = notBeforeMillis;
        this.endMillis = endMillis;
        this.journalFolder = journalFolder;
    }

    @Override
    public int workerId() {
        return workerId;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long notBeforeMillis() {
        return notBeforeMillis;
    }

    @Override
    public long untilMillis() {
        return endMillis;
    }

    @Override
    public String notBeforeHint() {
        return "; the journal in " + journalFolder + " has reserved all before it: if a clock that was ahead has done"
                + " that, use another worker id with another journal folder";
    }

    /** The journal's lease sees to it that there is one user. */
    @Override
    public void attach(LeaseUser user) {}

    @Override
    public void close() {}
}
