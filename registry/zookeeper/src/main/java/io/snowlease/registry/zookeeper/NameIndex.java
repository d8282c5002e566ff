package io.snowlease.registry.zookeeper;

import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * The index by node name, {@code nodes/{name}} with data {@code [7, 3]}: worker ids last leased to a node of that name,
 * latest first. It changes with the slot, in the same {@code multi}: a name gets an entry when it takes a slot and
 * loses it when another name takes that slot, so that there are never more names than slots. Thread-safe.
 */
final class NameIndex {
    private static final int MOST_WORKERS = 8;
    private static final Pattern NUMBER = Pattern.compile("\\b\\d{1,9}\\b");

    private final ZkPaths paths;

    /** A node takes slots under one name as a rule, and looks it up just before: that look is enough then. */
    private volatile @Nullable Entry lastSeen;

    NameIndex(ZkPaths paths) {
        this.paths = paths;
    }

    /** As read; version -1 where there is none. */
    private record Entry(String name, List<Integer> workers, int version) {}

    List<Integer> workersOf(ZkSession session, String name)
            throws KeeperException, InterruptedException, TimeoutException {
        Entry entry = read(session, name);
        lastSeen = entry;
        return entry.workers();
    }

    /** What has to change along with {@code next}: nothing, as a rule. */
    List<Op> changes(ZkSession session, @Nullable SlotRecord previous, SlotRecord next, boolean trustLastSeen)
            throws KeeperException, InterruptedException, TimeoutException {
        boolean isNewLease =
                next.state() == SlotState.HELD && (previous == null || !previous.isLeaseOf(next.token(), next.epoch()));
        if (!isNewLease) {
            return List.of();
        }
        List<Op> changes = new ArrayList<>();
        Entry known = lastSeen;
        lastSeen = null;
        Entry own =
                trustLastSeen && known != null && known.name().equals(next.node()) ? known : read(session, next.node());
        if (own.workers().isEmpty() || own.workers().get(0) != next.worker()) {
            changes.add(write(session, own, withFirst(own.workers(), next.worker())));
        }
        if (previous != null && !previous.node().equals(next.node())) {
            Entry old = read(session, previous.node());
            if (old.workers().contains(next.worker())) {
                changes.add(write(session, old, without(old.workers(), next.worker())));
            }
        }
        return changes;
    }

    private Entry read(ZkSession session, String name) throws KeeperException, InterruptedException, TimeoutException {
        ZkSession.@Nullable Data data = session.await(session.data(paths.node(name)));
        return data == null ? new Entry(name, List.of(), -1) : new Entry(name, parse(data.text()), data.version());
    }

    private Op write(ZkSession session, Entry seen, List<Integer> workers) {
        String path = paths.node(seen.name());
        byte[] data = workers.toString().getBytes(StandardCharsets.UTF_8);
        if (seen.version() < 0) {
            return session.creation(path, data);
        }
        return workers.isEmpty() ? Op.delete(path, seen.version()) : Op.setData(path, data, seen.version());
    }

    private static List<Integer> withFirst(List<Integer> workers, int first) {
        List<Integer> changed = without(workers, first);
        changed.add(0, first);
        return changed.size() <= MOST_WORKERS ? changed : changed.subList(0, MOST_WORKERS);
    }

    private static List<Integer> without(List<Integer> workers, int worker) {
        List<Integer> changed = new ArrayList<>(workers);
        changed.remove(Integer.valueOf(worker));
        return changed;
    }

    /** It is a hint: what can't be read is left aside. */
    private static List<Integer> parse(String text) {
        return NUMBER.matcher(text)
                .results()
                .map(number -> Integer.valueOf(number.group()))
                .toList();
    }
}
