package io.snowlease.it;

import io.snowlease.it.Topology.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All kinds of coordinators. */
final class Topologies {
    static final String ZOOKEEPER = "zookeeper";
    static final String ENSEMBLE = "zookeeper-ensemble";
    static final String REDIS = "redis-aof-always";
    static final String REDIS_MEMORY = "redis-memory";
    static final String SENTINEL = "redis-sentinel";
    static final String CLUSTER = "redis-cluster";

    static final Set<String> ALL = Set.of(ZOOKEEPER, ENSEMBLE, REDIS, REDIS_MEMORY, SENTINEL, CLUSTER);
    static final Set<String> ZOOKEEPERS = Set.of(ZOOKEEPER, ENSEMBLE);

    /** What they have acknowledged outlives a restart of all servers. */
    static final Set<String> DURABLE = Set.of(ZOOKEEPER, ENSEMBLE, REDIS, SENTINEL, CLUSTER);

    private static final boolean FULL = Boolean.getBoolean("snowlease.it.full");
    private static final Map<String, Topology> SHARED = new ConcurrentHashMap<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Topologies() {}

    /**
     * One that all tests share that do nothing to its servers, each in a namespace of its own. Testcontainers removes it
     * when the JVM ends.
     */
    static Topology get(String name) {
        return SHARED.computeIfAbsent(name, unknown -> new Topology(plan(name, name)));
    }

    /** One of its own, for who does something to its servers. */
    static Topology own(String name) {
        return new Topology(plan(name, name + "-" + COUNT.incrementAndGet()));
    }

    private static Plan plan(String name, String host) {
        return switch (name) {
            case ZOOKEEPER -> zooKeeper(name, host, 1);
            case ENSEMBLE -> zooKeeper(name, host, 3);
            case REDIS -> redis(name, host, true);
            case REDIS_MEMORY -> redis(name, host, false);
            case SENTINEL -> sentinels(host);
            case CLUSTER -> cluster(host);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Those that take longest first. */
    static Stream<String> all() {
        return Stream.of(ZOOKEEPER, REDIS, ENSEMBLE, SENTINEL, CLUSTER, REDIS_MEMORY);
    }

    /** One server of each kind that keeps its data; with {@code -Dsnowlease.it.full} all. */
    static Stream<String> single() {
        return FULL ? all() : Stream.of(ZOOKEEPER, REDIS);
    }

    /** For what takes a thousand steps: two that a JVM outside the containers' network can reach, or one. */
    static Stream<String> reachable() {
        return FULL ? Stream.of(ZOOKEEPER, REDIS) : Stream.of(REDIS);
    }

    /** On disk, each write synced before it is acknowledged. */
    private static Plan zooKeeper(String name, String host, int servers) {
        List<Integer> ports =
                IntStream.range(0, servers).map(i -> 2181 + i).boxed().toList();
        StringBuilder members = new StringBuilder();
        for (int i = 1; i <= servers && servers > 1; i++) {
            members.append("server." + i + "=127.0.0.1:" + (2887 + i) + ":" + (3887 + i) + "\\n");
        }
        List<List<String>> commands = new ArrayList<>();
        for (int i = 1; i <= servers; i++) {
            String folder = "/box/" + i;
            String settings = "tickTime=500\\ninitLimit=20\\nsyncLimit=8\\ndataDir=" + folder + "/data\\nclientPort="
                    + ports.get(i - 1) + "\\nadmin.enableServer=false\\n4lw.commands.whitelist=*\\n" + members;
            commands.add(shell("mkdir -p " + folder + "/data && echo " + i + " >" + folder + "/data/myid && printf '"
                    + settings + "' >" + folder + "/zoo.cfg && exec java -Xmx96m -XX:+UseSerialGC"
                    + " -XX:TieredStopAtLevel=1 -cp " + Box.JAR
                    + " org.apache.zookeeper.server.quorum.QuorumPeerMain " + folder + "/zoo.cfg"));
        }
        String uri = "zookeeper://"
                + String.join(",", ports.stream().map(port -> host + ":" + port).toList());
        return new Plan(
                name,
                host,
                uri,
                ports,
                ports,
                commands,
                List.of(),
                all -> IntStream.range(0, servers)
                        .allMatch(i -> all.ask(i, "srvr").contains("Mode: ")),
                true);
    }

    private static Plan redis(String name, String host, boolean isDurable) {
        return new Plan(
                name,
                host,
                "redis://" + host + ":6379",
                List.of(6379),
                List.of(6379),
                List.of(redisServer(6379, isDurable, "")),
                List.of(),
                all -> all.askRedis(0, "PING").contains("+PONG"),
                isDurable);
    }

    /** A primary that clients are sent to, whatever becomes of it, and a replica; one of its own for each test. */
    static Topology replaced(String kind, String options) {
        String name = "redis-replaced-" + kind;
        return new Topology(new Plan(
                name,
                name,
                "redis://" + name + ":6379" + options,
                List.of(6379),
                List.of(6379, 6380),
                List.of(
                        redisServer(6379, true, " --repl-diskless-sync-delay 0"),
                        redisServer(6380, true, " --replicaof 127.0.0.1 6379")),
                List.of(),
                both -> both.askRedis(1, "INFO replication").contains("master_link_status:up"),
                true));
    }

    /** Where containers reach the replica of {@link #replaced}. */
    static String promoted(Topology replaced, String options) {
        return "redis://" + replaced.name() + ":6380" + options;
    }

    /** A primary, two replicas, and three sentinels that want two to agree. */
    private static Plan sentinels(String host) {
        List<Integer> ports = List.of(6379, 6380, 6381, 26379, 26380, 26381);
        List<List<String>> commands = new ArrayList<>();
        String announced = " --repl-diskless-sync-delay 0 --replica-announce-ip " + host;
        commands.add(redisServer(6379, true, announced));
        commands.add(redisServer(6380, true, announced + " --replicaof " + host + " 6379"));
        commands.add(redisServer(6381, true, announced + " --replicaof " + host + " 6379"));
        for (int port : ports.subList(3, 6)) {
            String settings = "port " + port + "\\ndir /box/" + port + "\\nprotected-mode no\\n"
                    + "sentinel resolve-hostnames yes\\nsentinel announce-hostnames yes\\nsentinel announce-ip " + host
                    + "\\nsentinel monitor orders " + host + " 6379 2\\nsentinel down-after-milliseconds orders 1000\\n"
                    + "sentinel failover-timeout orders 3000\\n";
            String file = "/box/" + port + "/sentinel.conf";
            commands.add(shell("mkdir -p /box/" + port + " && { [ -f " + file + " ] || printf '" + settings + "' >"
                    + file + "; } && exec redis-server " + file + " --sentinel"));
        }
        return new Plan(
                SENTINEL,
                host,
                "redis-sentinel://" + host + ":26379," + host + ":26380," + host + ":26381?lag=1s#orders",
                List.of(),
                ports,
                commands,
                List.of(),
                all -> IntStream.range(3, 6)
                        .allMatch(i -> all.askRedis(i, "INFO sentinel").contains("status=ok,address=")
                                && all.askRedis(i, "INFO sentinel").contains("slaves=2,sentinels=3")),
                true);
    }

    /** Three primaries with a replica each. */
    private static Plan cluster(String host) {
        List<Integer> ports = IntStream.range(0, 6).map(i -> 7001 + i).boxed().toList();
        String all = String.join(" ", ports.stream().map(port -> "$ip:" + port).toList());
        return new Plan(
                CLUSTER,
                host,
                "redis-cluster://" + host + ":7001," + host + ":7002," + host + ":7003?lag=1s",
                List.of(),
                ports,
                ports.stream()
                        .map(port -> redisServer(
                                port,
                                true,
                                " --cluster-enabled yes --cluster-node-timeout 2000 --repl-diskless-sync-delay 0"
                                        + " --cluster-announce-ip $(hostname -i)"))
                        .toList(),
                shell("ip=$(hostname -i); redis-cli --cluster create " + all + " --cluster-replicas 1 --cluster-yes"),
                members -> IntStream.range(0, 6)
                        .allMatch(i -> members.askRedis(i, "CLUSTER INFO").contains("cluster_state:ok")),
                true);
    }

    private static List<String> redisServer(int port, boolean isDurable, String options) {
        return shell("mkdir -p /box/" + port + " && exec redis-server --port " + port + " --dir /box/" + port
                + " --save '' --protected-mode no --appendonly "
                + (isDurable ? "yes --appendfsync always" : "no") + options);
    }

    private static List<String> shell(String script) {
        return List.of("sh", "-c", script);
    }
}
