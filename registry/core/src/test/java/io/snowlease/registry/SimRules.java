package io.snowlease.registry;

import io.snowlease.generator.Layout;
import io.snowlease.generator.WorkerLease;
import io.snowlease.registry.protocol.LeaseRules;

/** What a history goes by outside the protocol's pure rules; all in, unless a mutant takes one out. */
class SimRules {
    /** The pure rules. */
    LeaseRules leaseRules(Layout layout) {
        return new LeaseRules(layout);
    }

    boolean comparesWholeRecord() {
        return true;
    }

    boolean rechecksIdentity() {
        return true;
    }

    boolean rechecksQuarantine() {
        return true;
    }

    /** Whether operators quarantine a registry that they have restored. */
    boolean quarantinesRestored() {
        return true;
    }

    boolean identityHasDataSet() {
        return true;
    }

    /** The lease as the generator gets to see it. */
    WorkerLease seen(WorkerLease lease, Layout layout) {
        return lease;
    }

    /** The journal as the node uses it. */
    LeaseJournal seen(LeaseJournal journal) {
        return journal;
    }

    boolean readoptsGrants() {
        return false;
    }
}
