package io.snowlease.registry;

/**
 * Which faults a simulated history has.
 *
 * @param losses restarts and failovers that lose acknowledged writes
 * @param splitMillis how long a replaced primary may go on accepting writes, 0 for never
 * @param failback whether a former primary keeps its run id when it comes back
 * @param badServers servers whose clocks are off by minutes after a failover
 * @param shorterLease a lost registry is made anew with half the lease duration
 * @param offlineFaults pauses, cut networks, lost and very late messages
 */
record SimProfile(
        boolean losses,
        long splitMillis,
        boolean failback,
        boolean badServers,
        boolean shorterLease,
        boolean offlineFaults) {
    static final SimProfile KEEPS_WRITES = new SimProfile(false, 0, false, false, false, true);
    static final SimProfile LOSES_WRITES = new SimProfile(true, 0, false, false, false, true);
    static final SimProfile SPLITS = new SimProfile(true, 30_000, true, false, false, true);
    static final SimProfile FAILS_BACK = new SimProfile(true, 0, true, false, false, true);
    static final SimProfile BAD_SERVERS = new SimProfile(true, 0, false, true, false, true);
    static final SimProfile SHORTER_LEASE = new SimProfile(true, 0, false, false, true, false);

    private static final SimProfile[] ALL = {KEEPS_WRITES, LOSES_WRITES, SPLITS, FAILS_BACK, BAD_SERVERS, SHORTER_LEASE
    };

    static SimProfile ofSeed(long seed) {
        return ALL[(int) Math.floorMod(seed, (long) ALL.length)];
    }
}
