package io.snowlease.registry.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Where things are: below {@code {chroot}/snowlease/{namespace}}, whose data is the registry record,
 *
 * <ul>
 *   <li>{@code workers/worker-0000000007}: sequential; start of the range + number is the worker id, the data its
 *       record. Nothing else is ever created here, since each create would use up a number.
 *   <li>{@code time}: touched to learn the coordinator's time
 *   <li>{@code id/{registryId}}: checked by every write, since a registry made anew starts at version 0 again
 *   <li>{@code nodes/{name}}: worker ids of the nodes of this name, latest first
 *   <li>{@code bounds/{until}-{worker}-{held|free}}: the index by bound, see {@link BoundName}
 * </ul>
 */
final class ZkPaths {
    private static final String WORKER = "worker-";
    private static final String HEX = "0123456789ABCDEF";

    private final String root;
    private final String registry;

    ZkPaths(String chroot, String namespace) {
        this.root = chroot + "/snowlease";
        this.registry = root + "/" + encode(namespace);
    }

    String root() {
        return root;
    }

    String registry() {
        return registry;
    }

    String time() {
        return registry + "/time";
    }

    String ids() {
        return registry + "/id";
    }

    String id(String registryId) {
        return ids() + "/" + encode(registryId);
    }

    String workers() {
        return registry + "/workers";
    }

    /** What a sequential node is made with. */
    String nextWorker() {
        return workers() + "/" + WORKER;
    }

    String worker(int sequence) {
        return nextWorker() + String.format(Locale.ROOT, "%010d", sequence);
    }

    /** The sequence number at the end of a path or name of a worker node; empty for any other. */
    static OptionalInt sequence(String path) {
        int start = path.lastIndexOf(WORKER);
        if (start < 0) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(path.substring(start + WORKER.length())));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    String nodes() {
        return registry + "/nodes";
    }

    String node(String name) {
        return nodes() + "/" + encode(name);
    }

    String bounds() {
        return registry + "/bounds";
    }

    String bound(String name) {
        return bounds() + "/" + name;
    }

    /** Any text as one path element, readable where it is plain; {@code %} alone stands for the empty one. */
    static String encode(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            boolean leadingDot = c == '.' && encoded.isEmpty();
            if (isPlain(c) && !leadingDot) {
                encoded.append(c);
            } else {
                encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
            }
        }
        return encoded.isEmpty() ? "%" : encoded.toString();
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '-'
                || c == '_';
    }
}
