package io.snowlease.registry;

import io.snowlease.generator.Layout;
import io.snowlease.generator.WorkerLease;
import org.jspecify.annotations.Nullable;

/** A journal that is another in all but what a mutant overrides. */
class SimJournal implements LeaseJournal {
    private final LeaseJournal real;

    SimJournal(LeaseJournal real) {
        this.real = real;
    }

    @Override
    public @Nullable Proof proof() {
        return real.proof();
    }

    @Override
    public void discardProof(String why) {
        real.discardProof(why);
    }

    @Override
    public Proof beginResume(Proof proof, String token) {
        return real.beginResume(proof, token);
    }

    @Override
    public long floorMillis() {
        return real.floorMillis();
    }

    @Override
    public WorkerLease vouchFor(HeldLease lease, Layout layout) {
        return real.vouchFor(lease, layout);
    }

    @Override
    public void requireUnused() {
        real.requireUnused();
    }

    @Override
    public void renewed() {
        real.renewed();
    }

    @Override
    public void markClosed(HeldLease lease, String reason) {
        real.markClosed(lease, reason);
    }

    @Override
    public boolean standsStill() {
        return real.standsStill();
    }

    @Override
    public @Nullable String failure() {
        return real.failure();
    }

    @Override
    public void close() {
        real.close();
    }
}
