package io.snowlease.registry.redis;

import java.util.List;

/**
 * The keys of a namespace. The braces are Redis Cluster's hash tag: all of them live on one server.
 *
 * @param hash the registry record and all slot records; it alone decides
 */
record RedisKeys(String hash) {
    static RedisKeys of(String namespace) {
        return new RedisKeys("snowlease:{" + namespace + "}");
    }

    /** Sorted set of worker ids by bound: a hint. */
    String bounds() {
        return hash + ":bounds";
    }

    /** Hash of worker ids by node name: a hint. */
    String nodes() {
        return hash + ":nodes";
    }

    /** Sorted set of worker ids that were offered to a claim, and not taken yet, by when: a hint. */
    String offers() {
        return hash + ":offers";
    }

    /** Written only to be waited for. */
    String barrier() {
        return hash + ":barrier";
    }

    /** Never there: what rights there are is tried on it. */
    String none() {
        return hash + ":none";
    }

    /** The lease of a worker id, for {@code TTL} and for other tools. */
    String lease(int worker) {
        return hash + ":lease:" + worker;
    }

    /** What every script declares. */
    List<String> common() {
        return List.of(hash, bounds(), nodes(), offers());
    }

    /** The same and one more. */
    List<String> commonAnd(String key) {
        return List.of(hash, bounds(), nodes(), offers(), key);
    }

    /** For messages. */
    String place(String field) {
        return "field " + field + " of the Redis hash " + hash;
    }
}
