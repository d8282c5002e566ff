package io.snowlease.registry;

/**
 * Which faults a simulated history has. Shares are probabilities, of a step or of a message.
 *
 * @param lossShare restarts and failovers that lose acknowledged writes, per step
 * @param splitMillis how long a replaced primary may go on accepting writes, 0 for never
 * @param lostShare messages lost, and as many doubled
 * @param lateShare messages that arrive long after their sender has given up
 * @param cutShare nodes cut off for minutes, per step
 * @param kind what else is special
 */
record SimProfile(double lossShare, long splitMillis, double lostShare, double lateShare, double cutShare, Kind kind) {

    /** Special faults. */
    enum Kind {
        /** None. */
        PLAIN,
        /** A former primary keeps its run id when it comes back. */
        FAILS_BACK,
        /** Servers whose clocks are minutes behind after a failover. One ahead grants bounds far ahead: not promised. */
        BAD_SERVERS,
        /** A lost registry is made anew with half the lease duration; nobody is paused or cut off meanwhile. */
        SHORTER_LEASE,
        /** All clocks are at the ends of what is tolerated; servers tend to fail just after a write, and the writer with them. */
        EDGE_CLOCKS,
        /** A network that delivers a message very late tends to fail altogether soon after. */
        FAILING_NETWORK,
        /** Nodes are spread over two servers that accept writes, and paused in the middle of exchanges. */
        SPLITS_LONG,
        /** An operator puts a backup back that is moments older than what was there, and sets a quarantine. */
        RESTORES
    }

    static final SimProfile KEEPS_WRITES = new SimProfile(0, 0, 0.03, 0.03, 0.004, Kind.PLAIN);
    static final SimProfile FAILING_NETWORK = new SimProfile(0, 0, 0.01, 0.06, 0.001, Kind.FAILING_NETWORK);
    static final SimProfile LOSES_WRITES = new SimProfile(0.003, 0, 0.03, 0.03, 0.004, Kind.PLAIN);
    static final SimProfile SPLITS = new SimProfile(0.003, 30_000, 0.03, 0.03, 0.004, Kind.FAILS_BACK);
    static final SimProfile SPLITS_LONG = new SimProfile(0.0015, 100_000, 0.01, 0.01, 0.002, Kind.SPLITS_LONG);
    static final SimProfile FAILS_BACK = new SimProfile(0.003, 0, 0.03, 0.03, 0.004, Kind.FAILS_BACK);
    static final SimProfile BAD_SERVERS = new SimProfile(0.003, 0, 0.03, 0.03, 0.004, Kind.BAD_SERVERS);
    static final SimProfile SHORTER_LEASE = new SimProfile(0.003, 0, 0, 0, 0, Kind.SHORTER_LEASE);
    static final SimProfile EDGE_CLOCKS = new SimProfile(0, 0, 0.01, 0.01, 0.002, Kind.EDGE_CLOCKS);
    static final SimProfile RESTORES = new SimProfile(0, 0, 0.01, 0.06, 0.001, Kind.RESTORES);

    private static final SimProfile[] ALL = {
        KEEPS_WRITES,
        FAILING_NETWORK,
        LOSES_WRITES,
        SPLITS,
        SPLITS_LONG,
        FAILS_BACK,
        BAD_SERVERS,
        SHORTER_LEASE,
        EDGE_CLOCKS,
        RESTORES
    };

    static SimProfile ofSeed(long seed) {
        return ALL[(int) Math.floorMod(seed, (long) ALL.length)];
    }

    boolean is(Kind one) {
        return kind == one;
    }

    /** Whether operators put back an older copy of the data, by a clock that can be believed, and quarantine it. */
    boolean restores() {
        return kind != Kind.BAD_SERVERS && kind != Kind.SHORTER_LEASE;
    }

    /** Operators who evict or quarantine, per step. */
    double operatorShare() {
        return 0.001;
    }

    /** Whether processes are paused. */
    boolean pauses() {
        return kind != Kind.SHORTER_LEASE;
    }
}
