package io.snowlease.registry.redis;

import io.snowlease.registry.spi.Finding;
import java.util.ArrayList;
import java.util.List;

/** What a server's own words mean for the leases that it keeps: which accident would lose which of them. */
final class RedisFindings {
    private static final String DURABILITY = "durability";
    private static final String MEMORY = "memory";
    private static final String REPLICAS = "replicas";
    private static final String MIN_REPLICAS = "min-replicas";
    private static final String NOTICED = "; that is noticed, and no new lease starts for D + 2S + L then";
    private static final String UNSEEN = "let this user see it: ACL SETUSER … +config|get";
    private static final int MOST_LAG_SECONDS = 10;

    /** What is asked for by CONFIG GET, beside INFO. */
    static final List<String> SETTINGS = List.of(
            "appendfsync",
            "no-appendfsync-on-rewrite",
            "save",
            "stop-writes-on-bgsave-error",
            "min-replicas-to-write",
            "min-replicas-max-lag");

    private final ServerFacts server;

    private RedisFindings(ServerFacts server) {
        this.server = server;
    }

    /**
     * All there is to say.
     *
     * @param name the servers, for messages
     * @param needed how many replicas must acknowledge a lease
     * @param registryLagMillis L of the registry, or -1 where there is none
     */
    static List<Finding> of(String name, ServerFacts server, int needed, long registryLagMillis) {
        RedisFindings findings = new RedisFindings(server);
        List<Finding> all = new ArrayList<>();
        all.add(Finding.ok("servers", server.version() + " at " + name + ", a primary"));
        all.add(findings.durability());
        all.add(findings.memory());
        all.add(findings.replicas(needed, registryLagMillis));
        all.add(findings.minReplicas(registryLagMillis));
        return all;
    }

    private Finding durability() {
        if (server.hasFailed("aof_last_write_status") && server.isAppending()) {
            return Finding.failure(
                    DURABILITY,
                    "the append-only file can't be written: it refuses all writes (MISCONF)",
                    "put its disk right: its log says what is wrong");
        }
        if (server.hasFailed("rdb_last_bgsave_status")
                && !"".equals(server.setting("save"))
                && !"no".equals(server.setting("stop-writes-on-bgsave-error"))) {
            return Finding.failure(
                    DURABILITY,
                    "the last snapshot failed: it refuses all writes (MISCONF) until one succeeds",
                    "put its disk, or its memory for the fork, right: its log says what is wrong; then BGSAVE");
        }
        if (!server.isAppending()) {
            String save = server.setting("save");
            if (save == null || !save.isEmpty()) {
                return Finding.warning(
                        DURABILITY,
                        "no append-only file" + (save == null ? "" : ", snapshots (save " + save + ")")
                                + ": a crash loses all leases since the last snapshot, if there is one" + NOTICED,
                        "appendonly yes, and appendfsync always");
            }
            return Finding.warning(
                    DURABILITY,
                    "nothing is kept on disk: a restart loses the registry and all leases" + NOTICED,
                    "appendonly yes, and appendfsync always");
        }
        String sync = server.setting("appendfsync");
        if (sync == null) {
            return Finding.warning(
                    DURABILITY, "an append-only file; how often it is synced can't be seen (CONFIG GET)", UNSEEN);
        }
        return switch (sync) {
            case "always" ->
                "yes".equals(server.setting("no-appendfsync-on-rewrite"))
                        ? Finding.warning(
                                DURABILITY,
                                "an append-only file, synced before a lease is acknowledged, but not while it is"
                                        + " rewritten: a crash of the host then loses the leases of half a minute or so"
                                        + NOTICED,
                                "no-appendfsync-on-rewrite no")
                        : Finding.ok(
                                DURABILITY,
                                "an append-only file, synced before a lease is acknowledged: a crash loses none");
            case "everysec" ->
                Finding.ok(
                        DURABILITY,
                        "an append-only file, synced each second: a crash of the host loses the leases of up to two"
                                + " seconds" + NOTICED);
            default ->
                Finding.warning(
                        DURABILITY,
                        "an append-only file that is synced when the system likes (appendfsync " + sync
                                + "): a crash of the host loses the leases of half a minute or so" + NOTICED,
                        "appendfsync always, or everysec");
        };
    }

    private Finding memory() {
        String policy = server.evictionPolicy();
        long most = server.number("maxmemory");
        if (most == 0) {
            return Finding.ok(MEMORY, "no maxmemory (" + policy + "): nothing is evicted");
        }
        String found = "maxmemory-policy " + policy + ", " + server.number("used_memory") * 100 / most
                + " % of maxmemory used";
        if (policy.startsWith("allkeys-")) {
            return Finding.warning(
                    MEMORY,
                    found + ": when it is full, the hash with the registry and all leases may be evicted" + NOTICED,
                    "maxmemory-policy noeviction, or a Redis of their own for leases");
        }
        return Finding.ok(
                MEMORY,
                found + ": when it is full, no lease is granted or renewed; none is lost, as what decides has no TTL");
    }

    private Finding replicas(int needed, long registryLagMillis) {
        int there = server.replicas();
        if (there < needed) {
            return Finding.failure(
                    REPLICAS,
                    there + " of " + needed + " replicas follow: no lease is granted or renewed until " + needed
                            + " acknowledge it",
                    "bring them back, or say how many there are by ?replicas=N in the URI");
        }
        if (there == 0) {
            return Finding.warning(
                    REPLICAS,
                    "no replica: with this server's disk all leases are lost",
                    "add one, or two and sentinels, for leases to outlast a server");
        }
        List<String> lagging = server.lagging(MOST_LAG_SECONDS);
        if (!lagging.isEmpty()) {
            return Finding.warning(
                    REPLICAS,
                    there + " follow, not all up to date (" + String.join(", ", lagging) + ")",
                    "leases that such a one has not acknowledged don't count: see why it lags");
        }
        if (needed == 0) {
            return Finding.warning(
                    REPLICAS,
                    there + " follow, and none is waited for (?replicas=0): a failover loses the leases of the last"
                            + " moments" + NOTICED,
                    "leave ?replicas=0 out");
        }
        if (registryLagMillis == 0) {
            return Finding.warning(
                    REPLICAS,
                    there + " follow, but the registry was made when there were none, with L = 0: a primary that is"
                            + " replaced, and goes on for a while, is not allowed for",
                    "make the next registry with them connected, or with ?lag=30s in the URI");
        }
        return Finding.ok(REPLICAS, there + " follow; a lease counts once " + needed + " have it");
    }

    private Finding minReplicas(long registryLagMillis) {
        String setting = server.setting("min-replicas-to-write");
        String maxLag = server.setting("min-replicas-max-lag");
        int there = server.replicas();
        if (setting == null || maxLag == null) {
            return there == 0
                    ? Finding.ok(MIN_REPLICAS, "there are no replicas")
                    : Finding.warning(MIN_REPLICAS, "min-replicas-to-write can't be seen (CONFIG GET)", UNSEEN);
        }
        String found = "min-replicas-to-write " + setting;
        if (setting.equals("0") || maxLag.equals("0")) {
            String off = setting.equals("0") ? found : found + ", switched off by min-replicas-max-lag 0";
            return there == 0
                    ? Finding.ok(MIN_REPLICAS, off + ", and there are no replicas")
                    : Finding.warning(
                            MIN_REPLICAS,
                            off
                                    + ": a primary that is cut off from its replicas goes on accepting writes; leases don't"
                                    + " count there, but what others write is lost",
                            "min-replicas-to-write 1" + (maxLag.equals("0") ? ", min-replicas-max-lag 10" : ""));
        }
        if (Integer.parseInt(setting) > there) {
            return Finding.failure(
                    MIN_REPLICAS,
                    found + ", and " + there + " follow: it refuses all writes (NOREPLICAS)",
                    "bring the replicas back, or lower it");
        }
        found += ", min-replicas-max-lag " + maxLag;
        long goesOnMillis = Long.parseLong(maxLag) * 1000;
        if (registryLagMillis > 0 && goesOnMillis > registryLagMillis) {
            return Finding.warning(
                    MIN_REPLICAS,
                    found + ": a primary that is cut off goes on accepting writes for " + goesOnMillis
                            + " ms, longer than the registry's L of " + registryLagMillis
                            + " ms allows for; with ?replicas=0 its leases would count",
                    "min-replicas-max-lag " + Math.max(1, registryLagMillis / 1000));
        }
        return Finding.ok(
                MIN_REPLICAS,
                found + ": a primary that is cut off stops within that many seconds; one that was frozen does not,"
                        + " WAIT sees to it");
    }
}
