package io.snowlease.registry.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of itself.
 *
 * @param info fields of INFO
 * @param config settings by name, as far as the user may see them
 */
record ServerFacts(Map<String, String> info, Map<String, String> config) {
    private static final Pattern REPLICA = Pattern.compile(".*state=(\\w+).*?lag=(-?\\d+).*");

    /** Of the text that INFO gives. */
    static ServerFacts of(String info, Map<String, String> config) {
        Map<String, String> fields = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return new ServerFacts(fields, Map.copyOf(config));
    }

    /** {@code Redis 7.0.15}; Valkey calls itself by its own name. */
    String version() {
        String valkey = info.get("valkey_version");
        return valkey == null ? "Redis " + info.getOrDefault("redis_version", "?") : "Valkey " + valkey;
    }

    boolean isAppending() {
        return "1".equals(info.get("aof_enabled"));
    }

    /** Whether the last time of what {@code field} is about went wrong. */
    boolean hasFailed(String field) {
        return "err".equals(info.get(field));
    }

    /** Null if it may not be seen. */
    @Nullable
    String setting(String name) {
        return config.get(name);
    }

    long number(String field) {
        String value = info.getOrDefault(field, "0");
        return value.matches("\\d{1,18}") ? Long.parseLong(value) : 0;
    }

    String evictionPolicy() {
        return info.getOrDefault("maxmemory_policy", "noeviction");
    }

    int replicas() {
        return (int) number("connected_slaves");
    }

    /** Replicas that are not up to date: their state, or by how many seconds they are silent. */
    List<String> lagging(int mostSeconds) {
        List<String> lagging = new ArrayList<>();
        for (int i = 0; info.containsKey("slave" + i); i++) {
            Matcher replica = REPLICA.matcher(info.getOrDefault("slave" + i, ""));
            if (replica.matches() && !replica.group(1).equals("online")) {
                lagging.add(replica.group(1));
            } else if (replica.matches() && Long.parseLong(replica.group(2)) > mostSeconds) {
                lagging.add(replica.group(2) + " s silent");
            }
        }
        return lagging;
    }
}
