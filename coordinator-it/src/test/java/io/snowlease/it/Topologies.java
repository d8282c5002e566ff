package io.snowlease.it;

import io.snowlease.it.Topology.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All coordinators, each started when it is first asked for; Testcontainers removes them when the JVM ends. */
final class Topologies {
    private static final boolean FULL = Boolean.getBoolean("snowlease.it.full");
    private static final Map<String, Supplier<Plan>> PLANS = new LinkedHashMap<>();
    private static final Map<String, Topology> STARTED = new ConcurrentHashMap<>();

    static {
        PLANS.put("zookeeper", () -> zooKeeper("zookeeper", 1));
        PLANS.put("zookeeper-ensemble", () -> zooKeeper("zookeeper-ensemble", 3));
        PLANS.put("redis-aof-always", () -> redis("redis-aof-always", true));
        PLANS.put("redis-memory", () -> redis("redis-memory", false));
        PLANS.put("redis-sentinel", Topologies::sentinels);
        PLANS.put("redis-cluster", Topologies::cluster);
    }

    private Topologies() {}

    static Topology get(String name) {
        return STARTED.computeIfAbsent(
                name,
                unknown -> new Topology(
                        Objects.requireNonNull(PLANS.get(name), name).get()));
    }

    static Stream<String> all() {
        return PLANS.keySet().stream();
    }

    /** One server of each kind that keeps its data; with {@code -Dsnowlease.it.full} all. */
    static Stream<String> single() {
        return FULL ? all() : Stream.of("zookeeper", "redis-aof-always");
    }

    /** Of several servers; with {@code -Dsnowlease.it.full} all. */
    static Stream<String> replicated() {
        return FULL ? all() : Stream.of("zookeeper-ensemble", "redis-sentinel");
    }

    /** Those that the others leave out; with {@code -Dsnowlease.it.full} all. */
    static Stream<String> others() {
        return FULL ? all() : Stream.of("redis-memory", "redis-cluster");
    }

    /** For what takes a thousand steps: two that a JVM outside the containers' network can reach, or one. */
    static Stream<String> reachable() {
        return FULL ? Stream.of("zookeeper", "redis-aof-always") : Stream.of("redis-aof-always");
    }

    /** On disk, each write synced before it is acknowledged. */
    private static Plan zooKeeper(String name, int servers) {
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
                + String.join(",", ports.stream().map(port -> name + ":" + port).toList());
        return new Plan(
                name,
                uri,
                ports,
                ports,
                commands,
                List.of(),
                all -> IntStream.range(0, servers)
                        .allMatch(i -> all.ask(i, "srvr").contains("Mode: ")),
                true);
    }

    private static Plan redis(String name, boolean isDurable) {
        return new Plan(
                name,
                "redis://" + name + ":6379",
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
    private static Plan sentinels() {
        String name = "redis-sentinel";
        List<Integer> ports = List.of(6379, 6380, 6381, 26379, 26380, 26381);
        List<List<String>> commands = new ArrayList<>();
        String announced = " --repl-diskless-sync-delay 0 --replica-announce-ip " + name;
        commands.add(redisServer(6379, true, announced));
        commands.add(redisServer(6380, true, announced + " --replicaof " + name + " 6379"));
        commands.add(redisServer(6381, true, announced + " --replicaof " + name + " 6379"));
        for (int port : ports.subList(3, 6)) {
            String settings = "port " + port + "\\ndir /box/" + port + "\\nprotected-mode no\\n"
                    + "sentinel resolve-hostnames yes\\nsentinel announce-hostnames yes\\nsentinel announce-ip " + name
                    + "\\nsentinel monitor orders " + name + " 6379 2\\nsentinel down-after-milliseconds orders 1000\\n"
                    + "sentinel failover-timeout orders 3000\\n";
            String file = "/box/" + port + "/sentinel.conf";
            commands.add(shell("mkdir -p /box/" + port + " && { [ -f " + file + " ] || printf '" + settings + "' >"
                    + file + "; } && exec redis-server " + file + " --sentinel"));
        }
        return new Plan(
                name,
                "redis-sentinel://" + name + ":26379," + name + ":26380," + name + ":26381?lag=1s#orders",
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
    private static Plan cluster() {
        String name = "redis-cluster";
        List<Integer> ports = IntStream.range(0, 6).map(i -> 7001 + i).boxed().toList();
        String all = String.join(" ", ports.stream().map(port -> "$ip:" + port).toList());
        return new Plan(
                name,
                "redis-cluster://" + name + ":7001," + name + ":7002," + name + ":7003?lag=1s",
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
