package io.snowlease.registry;

import io.snowlease.generator.Layout;
import io.snowlease.generator.LeaseInUseException;
import io.snowlease.generator.LeaseUser;
import io.snowlease.generator.WorkerLease;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Each rule taken out, one at a time, with the faults under which it matters. */
@SuppressWarnings("ImmutableEnumChecker") // profiles and rules have no state
enum SimMutant {
    NO_BOUND_CHECK_AT_ISSUE(SimProfile.KEEPS_WRITES, leases((lease, layout) -> new SimLease(lease) {
        @Override
        public long untilMillis() {
            return layout.endMillis();
        }
    })),
    COMPARES_EPOCH_AND_TOKEN_ONLY(SimProfile.FAILING_NETWORK, new SimRules() {
        @Override
        boolean comparesWholeRecord() {
            return false;
        }
    }),
    NO_RECHECK_OF_IDENTITY_AND_QUARANTINE_AT_STORE(SimProfile.LOSES_WRITES, new SimRules() {
        @Override
        boolean rechecksIdentity() {
            return false;
        }

        @Override
        boolean rechecksQuarantine() {
            return false;
        }
    }),
    /** Observable where the data goes back and the identity stays: an operator has restored a backup. */
    NO_RECHECK_OF_QUARANTINE_AT_STORE(SimProfile.RESTORES, new SimRules() {
        @Override
        boolean rechecksQuarantine() {
            return false;
        }
    }),
    NO_QUARANTINE_AFTER_A_BACKUP_WAS_RESTORED(SimProfile.RESTORES, new SimRules() {
        @Override
        boolean quarantinesRestored() {
            return false;
        }
    }),
    EVICT_LOWERS_THE_BOUND(SimProfile.KEEPS_WRITES, rules(layout -> new LeaseRules(layout) {
        @Override
        protected long evictedBound(SlotRecord slot, long now) {
            return onGrid(Math.max(now, slot.floor()));
        }
    })),
    RENEWS_WHAT_A_REPLACED_PRIMARY_MAY_HAVE_GIVEN_AWAY(SimProfile.SPLITS_LONG, rules(layout -> new LeaseRules(layout) {
        @Override
        protected boolean mayHaveBeenTakenElsewhere(RegistryRecord registry, SlotRecord slot) {
            return false;
        }
    })),
    /**
     * The time is checked when a renewal is planned and again at the store, and the rule above covers what is left:
     * each alone is enough against what is simulated here, all three out are not.
     */
    NO_CHECK_OF_THE_KNOWN_BOUND(SimProfile.LOSES_WRITES, rules(layout -> new LeaseRules(layout) {
        @Override
        protected boolean isBeforeKnownBound(HeldBound held, long now) {
            return true;
        }

        @Override
        public long renewableBefore(HeldBound held) {
            return Long.MAX_VALUE;
        }

        @Override
        protected boolean mayHaveBeenTakenElsewhere(RegistryRecord registry, SlotRecord slot) {
            return false;
        }
    })),
    RELEASES_BELOW_FLOOR(SimProfile.KEEPS_WRITES, rules(layout -> new LeaseRules(layout) {
        @Override
        protected long releaseBound(SlotRecord slot, long last) {
            return onGrid(last < slot.floor() ? 0 : last + layout.tickMillis());
        }
    })),
    GRANTS_FAR_FLOOR(SimProfile.LOSES_WRITES, rules(layout -> new LeaseRules(layout) {
        @Override
        protected boolean isGrantable(long floor, long skewMillis, long now) {
            return true;
        }
    })),
    NO_QUARANTINE(SimProfile.LOSES_WRITES, rules(layout -> new LeaseRules(layout) {
        @Override
        protected long quarantine(long now, long leaseMillis, long skewMillis, long lagMillis) {
            return 0;
        }

        @Override
        public long quarantineFor(HeldBound held, long skewMillis) {
            return 0;
        }
    })),
    QUARANTINE_WITHOUT_2S(SimProfile.EDGE_CLOCKS, rules(layout -> new LeaseRules(layout) {
        @Override
        protected long quarantine(long now, long leaseMillis, long skewMillis, long lagMillis) {
            return onGrid(now + leaseMillis + lagMillis);
        }
    })),
    NEW_LEASE_DURATION_FOR_OLD_LEASES(SimProfile.SHORTER_LEASE, rules(layout -> new LeaseRules(layout) {
        @Override
        public long quarantineFor(HeldBound held, long skewMillis) {
            return 0;
        }
    })),
    IDENTITY_BY_RUN_ID_ALONE(SimProfile.FAILS_BACK, new SimRules() {
        @Override
        boolean identityHasDataSet() {
            return false;
        }
    }),
    QUARANTINE_SET_BY_SKEWED_REQUEST(SimProfile.BAD_SERVERS, rules(layout -> new LeaseRules(layout) {
        @Override
        public boolean maySetQuarantine(long local, long now, long skewMillis) {
            return true;
        }
    })),
    BOUNDS_OFF_THE_TICK_GRID(SimProfile.KEEPS_WRITES, new SimRules() {
        @Override
        LeaseRules leaseRules(Layout layout) {
            return new LeaseRules(layout) {
                @Override
                protected long onGrid(long millis) {
                    return -Math.floorDiv(-millis, layout.tickMillis()) * layout.tickMillis();
                }
            };
        }

        @Override
        WorkerLease seen(WorkerLease lease, Layout layout) {
            // A generator that asks which tick the first timestamp is in, as one may when bounds are on the grid.
            return new SimLease(lease) {
                @Override
                public long notBeforeMillis() {
                    return layout.millisOf(layout.tickOf(super.notBeforeMillis()));
                }
            };
        }
    }),
    CLOSES_BY_FLAG(SimProfile.KEEPS_WRITES, leases((lease, layout) -> new SimLease(lease) {
        @Override
        public void attach(LeaseUser user) {
            super.attach(new LeaseUser() {
                @Override
                public long lastTimestampMillis() {
                    return user.lastTimestampMillis();
                }

                @Override
                public long stop(String reason) {
                    return user.lastTimestampMillis();
                }
            });
        }
    })),
    SECOND_GENERATOR_ON_A_LEASE(SimProfile.KEEPS_WRITES, leases((lease, layout) -> new SimLease(lease) {
        @Override
        public void attach(LeaseUser user) {
            try {
                super.attach(user);
            } catch (LeaseInUseException ignored) {
                // The rule taken out.
            }
        }
    })),
    /** As above: the rule on replaced primaries covers what is left of this one. */
    RESUMES_AFTER_THE_KNOWN_BOUND(SimProfile.SPLITS_LONG, rules(layout -> new LeaseRules(layout) {
        @Override
        protected boolean isBeforeKnownBounds(HeldBound held, SlotRecord slot, long now) {
            return true;
        }

        @Override
        public long resumableBefore(HeldBound held, SlotRecord slot) {
            return Long.MAX_VALUE;
        }

        @Override
        protected boolean mayHaveBeenResumedElsewhere(RegistryRecord registry, SlotRecord slot) {
            return false;
        }
    })),
    JOURNAL_NOT_CLOSED_BEFORE_RELEASE(SimProfile.KEEPS_WRITES, journals(journal -> new SimJournal(journal) {
        @Override
        public void markClosed(HeldLease lease, String reason) {}

        @Override
        public void requireUnused() {}
    })),
    ISSUES_BEFORE_THE_JOURNAL_IS_SYNCED(SimProfile.KEEPS_WRITES, journals(journal -> new SimJournal(journal) {
        @Override
        public WorkerLease vouchFor(HeldLease lease, Layout layout) {
            WorkerLease unused = super.vouchFor(lease, layout);
            return lease;
        }
    })),
    ADOPTS_A_LOST_GRANT_TWICE(SimProfile.KEEPS_WRITES, new SimRules() {
        @Override
        boolean readoptsGrants() {
            return true;
        }
    });

    final SimProfile profile;
    final SimRules rules;

    SimMutant(SimProfile profile, SimRules rules) {
        this.profile = profile;
        this.rules = rules;
    }

    private static SimRules rules(Function<Layout, LeaseRules> mutated) {
        return new SimRules() {
            @Override
            LeaseRules leaseRules(Layout layout) {
                return mutated.apply(layout);
            }
        };
    }

    private static SimRules journals(UnaryOperator<LeaseJournal> mutated) {
        return new SimRules() {
            @Override
            LeaseJournal seen(LeaseJournal journal) {
                return mutated.apply(journal);
            }
        };
    }

    private static SimRules leases(BiFunction<WorkerLease, Layout, WorkerLease> mutated) {
        return new SimRules() {
            @Override
            WorkerLease seen(WorkerLease lease, Layout layout) {
                return mutated.apply(lease, layout);
            }
        };
    }
}
