package io.snowlease.registry.redis;

import io.snowlease.registry.spi.StoreCredentials;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Redis URI, parsed. No text of it, nor of what parsing throws, holds the password.
 *
 * @param topology how the primary is found
 * @param isTls whether it is spoken to by TLS
 * @param hosts servers, or sentinels, or some nodes of a cluster; ports filled in
 * @param database number of the database; 0 in a cluster
 * @param master what the sentinels call the primary; empty without them
 * @param credentials from the URI; null for none
 * @param replicas how many replicas must acknowledge a lease; -1: all that were seen
 * @param lag how long a replaced primary may go on accepting writes; null: 30 s where there are replicas
 * @param sentinelCredentials for the sentinels, which are not given those of the servers; null for none
 */
record RedisServers(
        Topology topology,
        boolean isTls,
        List<Host> hosts,
        int database,
        String master,
        @Nullable StoreCredentials credentials,
        int replicas,
        @Nullable Duration lag,
        @Nullable StoreCredentials sentinelCredentials) {
    static final int ALL_SEEN = -1;

    private static final String FORMS =
            "must be redis[s]://[user:password@]host[:port][/database], redis[s]-cluster://[user:password@]host[:port][,…]"
                    + " or redis[s]-sentinel://[user:password@]host[:port][,…][/database]#master, each with"
                    + " ?replicas=N and &lag=30s if need be, IPv6 addresses in []: uri=";
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+(?:%[\\w.-]+)?]|[\\w.-]+)(?::(\\d{1,5}))?");
    private static final Pattern DATABASE = Pattern.compile("/?|/(\\d{1,4})");
    private static final Pattern LAG = Pattern.compile("(\\d{1,7})(ms|s|m)");
    private static final int MOST_REPLICAS = 16;
    private static final Duration LONGEST_LAG = Duration.ofHours(1);

    /** How the primary is found. */
    enum Topology {
        STANDALONE("", 6379),
        CLUSTER("-cluster", 6379),
        SENTINEL("-sentinel", 26379);

        private final String suffix;
        private final int port;

        Topology(String suffix, int port) {
            this.suffix = suffix;
            this.port = port;
        }
    }

    /** One address. */
    record Host(String name, int port) {
        @Override
        public String toString() {
            return name + ":" + port;
        }
    }

    static Set<String> schemes() {
        return Set.of("redis", "rediss", "redis-cluster", "rediss-cluster", "redis-sentinel", "rediss-sentinel");
    }

    static RedisServers parse(URI uri) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        boolean isTls = scheme.startsWith("rediss");
        Topology topology = topology(scheme);
        String authority = uri.getRawAuthority();
        Matcher path = DATABASE.matcher(uri.getRawPath() == null ? "" : uri.getRawPath());
        String master = uri.getFragment() == null ? "" : uri.getFragment();
        if (authority == null || !path.matches() || master.isEmpty() == (topology == Topology.SENTINEL)) {
            throw malformed(uri);
        }
        int database = path.group(1) == null ? 0 : Integer.parseInt(path.group(1));
        int at = authority.lastIndexOf('@');
        List<Host> hosts = hosts(uri, decoded(authority.substring(at + 1)), topology.port);
        if ((topology == Topology.STANDALONE && hosts.size() > 1) || (topology == Topology.CLUSTER && database > 0)) {
            throw malformed(uri);
        }
        Options options = Options.parse(uri);
        return new RedisServers(
                topology,
                isTls,
                hosts,
                database,
                master,
                at < 0 ? null : credentials(uri, authority.substring(0, at)),
                options.replicas(),
                options.lag(),
                null);
    }

    private static Topology topology(String scheme) {
        for (Topology topology : Topology.values()) {
            if (!topology.suffix.isEmpty() && scheme.endsWith(topology.suffix)) {
                return topology;
            }
        }
        return Topology.STANDALONE;
    }

    private static List<Host> hosts(URI uri, String list, int defaultPort) {
        List<Host> hosts = new ArrayList<>();
        for (String host : list.split(",", -1)) {
            Matcher parts = HOST.matcher(host);
            if (!parts.matches()) {
                throw malformed(uri);
            }
            int port = parts.group(2) == null ? defaultPort : Integer.parseInt(parts.group(2));
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException("must be 1-65535: port=" + port + " in " + masked(uri));
            }
            hosts.add(new Host(parts.group(1), port));
        }
        return List.copyOf(hosts);
    }

    /** Without a user it is the one called default, as before Redis 6. */
    private static StoreCredentials credentials(URI uri, String userInfo) {
        int colon = userInfo.indexOf(':');
        String user = colon <= 0 ? "default" : decoded(userInfo.substring(0, colon));
        String password = decoded(userInfo.substring(colon + 1));
        if (password.isEmpty() || (colon < 0 && !userInfo.isEmpty())) {
            throw malformed(uri);
        }
        return StoreCredentials.of(user, password);
    }

    private record Options(int replicas, @Nullable Duration lag) {
        static Options parse(URI uri) {
            int replicas = ALL_SEEN;
            Duration lag = null;
            String query = uri.getRawQuery();
            for (String option : query == null ? new String[0] : query.split("&", -1)) {
                if (option.startsWith("replicas=")) {
                    replicas = replicas(option.substring("replicas=".length()));
                } else if (option.startsWith("lag=")) {
                    lag = lag(option.substring("lag=".length()));
                } else {
                    throw malformed(uri);
                }
            }
            return new Options(replicas, lag);
        }

        private static int replicas(String value) {
            if (!value.matches("\\d{1,2}") || Integer.parseInt(value) > MOST_REPLICAS) {
                throw new IllegalArgumentException("must be 0-" + MOST_REPLICAS
                        + ", how many replicas must acknowledge a lease: replicas=" + value);
            }
            return Integer.parseInt(value);
        }

        private static Duration lag(String value) {
            Matcher parts = LAG.matcher(value);
            if (parts.matches()) {
                long number = Long.parseLong(parts.group(1));
                Duration lag = switch (parts.group(2)) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    default -> Duration.ofMinutes(number);
                };
                if (lag.compareTo(LONGEST_LAG) <= 0) {
                    return lag;
                }
            }
            throw new IllegalArgumentException(
                    "must be a time such as 500ms, 30s or 2m, at most 60m: how long a replaced primary may go on accepting"
                            + " writes: lag=" + value);
        }
    }

    private static String decoded(String text) {
        // A plus is a plus here; URLDecoder takes it for a blank.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static IllegalArgumentException malformed(URI uri) {
        return new IllegalArgumentException(FORMS + masked(uri));
    }

    /** Up to the last @: a password may hold any character. */
    private static String masked(URI uri) {
        return uri.toString().replaceAll("//.*@", "//***@");
    }

    /** The same servers with credentials from elsewhere. */
    RedisServers with(@Nullable StoreCredentials others) {
        if (others == null) {
            return this;
        }
        if (credentials != null) {
            throw new IllegalArgumentException("must be given once, in the URI or by credentials(user, password),"
                    + " SNOWLEASE_REDIS_AUTH or --redis-auth-file: user and password for " + this);
        }
        return new RedisServers(topology, isTls, hosts, database, master, others, replicas, lag, sentinelCredentials);
    }

    /** The same with credentials for the sentinels. */
    RedisServers withSentinels(@Nullable StoreCredentials theirs) {
        if (theirs == null) {
            return this;
        }
        if (topology != Topology.SENTINEL) {
            throw new IllegalArgumentException(
                    "must be redis-sentinel:// where there are credentials for sentinels: Redis at " + this);
        }
        return new RedisServers(topology, isTls, hosts, database, master, credentials, replicas, lag, theirs);
    }

    /** For messages: no secrets. */
    @Override
    public String toString() {
        String list = String.join(",", hosts.stream().map(Host::toString).toList());
        String name = database == 0 ? list : list + "/" + database;
        return switch (topology) {
            case STANDALONE -> name;
            case CLUSTER -> "cluster " + name;
            case SENTINEL -> "sentinels " + name + "#" + master;
        };
    }
}
