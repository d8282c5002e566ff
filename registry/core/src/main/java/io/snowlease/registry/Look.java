package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.SlowAnswerException;

/**
 * A look at the coordinator, and this node's time around it. The coordinator read its clock somewhere in between, so
 * that a slow answer tells less of the skew: a node is ahead only if it was before it asked, and its clock agrees with
 * the coordinator's only if it does both before and after.
 *
 * @param view what was read
 * @param before this node's time before it asked, ms since 1970
 * @param after its time when the answer was there
 */
record Look(RegistryView view, long before, long after) {
    static Look at(LeaseStore store, Clocks clocks) {
        long before = clocks.wallMillis();
        RegistryView view = store.view();
        return new Look(view, before, clocks.wallMillis());
    }

    /** What bounds are made from: the earlier time makes them shorter, never longer. */
    long local() {
        return Math.min(before, after);
    }

    /** Least difference that the readings allow: node's clock minus coordinator's, in ms. */
    long skewMillis() {
        long earliest = Math.min(before, after);
        long latest = Math.max(before, after);
        return Math.max(earliest, Math.min(view.now(), latest)) - view.now();
    }

    /** Largest difference that the readings allow, with its sign. */
    long mostSkewMillis() {
        long least = before - view.now();
        long most = after - view.now();
        return Math.abs(least) > Math.abs(most) ? least : most;
    }

    /**
     * Refuses unless both clocks agree within S, whenever in between the coordinator's was read.
     *
     * @throws ClockSkewException if they don't
     * @throws SlowAnswerException if the answer took too long to tell
     */
    void requireAgreement(LeaseRules rules, long maxSkewMillis) {
        boolean beforeAgrees = rules.maySetQuarantine(before, view.now(), maxSkewMillis);
        boolean afterAgrees = rules.maySetQuarantine(after, view.now(), maxSkewMillis);
        if (beforeAgrees && afterAgrees) {
            return;
        }
        if (Math.abs(skewMillis()) > maxSkewMillis) {
            throw new ClockSkewException(view.now() + skewMillis(), view.now(), maxSkewMillis);
        }
        throw new SlowAnswerException(Math.abs(after - before), maxSkewMillis);
    }
}
