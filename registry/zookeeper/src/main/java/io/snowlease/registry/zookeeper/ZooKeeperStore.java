package io.snowlease.registry.zookeeper;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.RecordCodec;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.SlotBound;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Slots as ZooKeeper nodes, laid out as {@link ZkPaths} says and written as {@link SlotWrite} says.
 *
 * <p>Round trips: a look 1 (a touch and a read, sent together), a name 1, a slot 1, a write 1, a never-used slot 2,
 * bounds 1; so a claim of a node's own slot costs 4 and of a new one 5, however many slots there are.
 */
final class ZooKeeperStore implements LeaseStore {
    private static final String IDENTITY = "zookeeper";
    private static final int BATCH = 256;

    private final ZkConnection connection;
    private final ZkPaths paths;
    private final NameIndex names;
    private final Home home;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The registry last seen: its range says which node is which worker id. */
    private volatile @Nullable RegistryRecord known;

    /** Where the servers are. */
    interface Home extends AutoCloseable {
        /** For messages. */
        String servers();

        /** Whether this process has made the data set, and it never held a registry at {@code paths}. */
        boolean isNeverUsed(ZkConnection connection, ZkPaths paths);

        /** What an operator should know of the servers. */
        List<Finding> findings();

        @Override
        void close();
    }

    ZooKeeperStore(ZkConnection connection, ZkPaths paths, Home home) {
        this.connection = connection;
        this.paths = paths;
        this.names = new NameIndex(paths);
        this.home = home;
    }

    private record RegistryStamp(int version) {}

    @Override
    public String servers() {
        return home.servers();
    }

    @Override
    public void limitCalls(Duration longest) {
        connection.limitCalls(longest);
    }

    @Override
    public boolean isNeverUsed() {
        return home.isNeverUsed(connection, paths);
    }

    @Override
    public long lagMillis() {
        return 0;
    }

    @Override
    public boolean isBlank() {
        return connection.repeatedly(
                "looking for " + paths.root(), session -> session.await(session.stat(paths.root())) == null);
    }

    @Override
    public List<Finding> findings() {
        return home.findings();
    }

    // Registry

    @Override
    public RegistryView view() {
        return connection.repeatedly("looking at the registry", session -> {
            ZkConnection.Mark mark = connection.markOf(session);
            CompletableFuture<Stat> touch = session.touch(paths.time());
            CompletableFuture<ZkSession.@Nullable Data> data = session.data(paths.registry());
            Stat touched;
            try {
                touched = session.await(touch);
            } catch (KeeperException.NoNodeException e) {
                touched = touchElsewhere(session);
                data = session.data(paths.registry());
            }
            connection.isCaughtUp(mark);
            return seen(session, session.await(data), touched.getMtime());
        });
    }

    /** Where no registry was made yet, its parent tells the time. */
    private Stat touchElsewhere(ZkSession session) throws KeeperException, InterruptedException, TimeoutException {
        if (session.await(session.stat(paths.registry())) != null) {
            session.ensure(paths.time());
            return session.await(session.touch(paths.time()));
        }
        session.ensure(paths.root());
        return session.await(session.touch(paths.root()));
    }

    private RegistryView seen(ZkSession session, ZkSession.@Nullable Data data, long now)
            throws KeeperException, InterruptedException, TimeoutException {
        if (data == null) {
            known = null;
            connection.access().registryMissing();
            return new RegistryView(null, now, IDENTITY, null);
        }
        connection.access().registrySeen(session, paths.registry(), data.stat());
        RegistryRecord record = RegistryNode.parse(data, paths);
        known = record;
        return new RegistryView(record, now, IDENTITY, new RegistryStamp(data.version()));
    }

    @Override
    public boolean create(RegistryRecord record) {
        return connection.once("making the registry", session -> RegistryNode.create(session, paths, record));
    }

    @Override
    public boolean replace(RegistryView seen, RegistryRecord next) {
        RegistryRecord record = seen.record();
        if (record == null || !(seen.stamp() instanceof RegistryStamp stamp)) {
            return false;
        }
        return connection.once(
                "replacing the registry record",
                session -> RegistryNode.replace(session, paths, record, stamp.version(), next));
    }

    // Slots

    @Override
    public List<Integer> workersOf(String node) {
        return connection.repeatedly("looking up the worker ids of " + node, session -> names.workersOf(session, node));
    }

    @Override
    public Optional<StoredSlot> nextNeverUsed(RegistryView view) {
        RegistryRecord registry = Objects.requireNonNull(view.record(), "no registry: view.record()=null");
        NeverUsed neverUsed = new NeverUsed(paths, registry);
        if (connection.repeatedly("looking for a never-used worker id", neverUsed::isLeft)) {
            Optional<StoredSlot> next = connection.once("making a never-used slot", neverUsed::next);
            if (next.isPresent()) {
                return next;
            }
        }
        return connection.repeatedly("looking for a never-used worker id", neverUsed::unclaimed);
    }

    @Override
    public List<SlotBound> bounds(int limit) {
        return connection.repeatedly(
                "looking for free slots",
                session -> session.await(session.children(paths.bounds())).stream()
                        .map(BoundName::parse)
                        .flatMap(Optional::stream)
                        .sorted(Comparator.comparingLong(SlotBound::until).thenComparingInt(SlotBound::worker))
                        .limit(limit)
                        .toList());
    }

    @Override
    public StoredSlot read(int worker) {
        return connection.repeatedly("reading the slot of worker " + worker, session -> {
            RegistryRecord before = known;
            catchUp(session);
            RegistryRecord registry = before == null ? registry(session) : before;
            if (registry == null || !registry.range().contains(worker)) {
                return new StoredSlot(worker, null, null);
            }
            StoredSlot slot = read(session, registry, worker);
            if (slot == null && before != null) {
                registry = registry(session);
                slot = registry == null || !registry.range().contains(worker)
                        ? new StoredSlot(worker, null, null)
                        : read(session, registry, worker);
            }
            if (slot == null) {
                throw new MalformedRecordException(
                        "ZooKeeper nodes below " + paths.workers() + ": the one of worker " + worker
                                + " holds the record of another",
                        null);
            }
            return slot;
        });
    }

    /** Null if the record that is there is another worker's, as when a registry has been made anew. */
    private @Nullable StoredSlot read(ZkSession session, RegistryRecord registry, int worker)
            throws KeeperException, InterruptedException, TimeoutException {
        String path = paths.worker(worker - registry.firstWorker());
        ZkSession.@Nullable Data data = session.await(session.data(path));
        if (data == null) {
            return new StoredSlot(worker, null, null);
        }
        SlotRecord record = parse(path, data);
        if (record != null && record.worker() != worker) {
            return null;
        }
        return new StoredSlot(worker, record, new SlotStamp(data.version(), registry.registryId()));
    }

    /** A write of a slot that has no node is answered {@link WriteResult#SLOT_CHANGED}: an operator deleted it. */
    @Override
    public WriteResult write(RegistryView plannedOn, StoredSlot expected, SlotRecord next, long beforeMillis) {
        if (expected.worker() != next.worker()) {
            throw new IllegalArgumentException(
                    "must be one slot: expected.worker=" + expected.worker() + ", next.worker=" + next.worker());
        }
        RegistryRecord registry = plannedOn.record();
        if (registry == null || !(plannedOn.stamp() instanceof RegistryStamp seen)) {
            return WriteResult.REGISTRY_CHANGED;
        }
        if (!(expected.stamp() instanceof SlotStamp slot) || !slot.registryId().equals(registry.registryId())) {
            return WriteResult.SLOT_CHANGED;
        }
        SlotWrite write =
                new SlotWrite(paths, names, registry, seen.version(), expected.record(), slot.version(), next);
        return connection.once("writing the slot of worker " + next.worker(), write::on);
    }

    @Override
    public List<SlotRecord> list() {
        return connection.repeatedly("listing slots", session -> {
            catchUp(session);
            RegistryRecord registry = registry(session);
            if (registry == null) {
                return List.of();
            }
            WorkerRange range = registry.range();
            List<String> nodes = session.await(session.children(paths.workers())).stream()
                    .map(ZkPaths::sequence)
                    .flatMapToInt(OptionalInt::stream)
                    .filter(sequence -> sequence < range.size())
                    .sorted()
                    .mapToObj(paths::worker)
                    .toList();
            List<SlotRecord> slots = new ArrayList<>();
            for (int start = 0; start < nodes.size(); start += BATCH) {
                addAll(session, nodes.subList(start, Math.min(start + BATCH, nodes.size())), slots);
            }
            return slots;
        });
    }

    private static void addAll(ZkSession session, List<String> nodes, List<SlotRecord> slots)
            throws KeeperException, InterruptedException, TimeoutException {
        List<CompletableFuture<ZkSession.@Nullable Data>> replies =
                nodes.stream().map(session::data).toList();
        for (int i = 0; i < nodes.size(); i++) {
            ZkSession.@Nullable Data data = session.await(replies.get(i));
            SlotRecord slot = data == null ? null : parse(nodes.get(i), data);
            if (slot != null) {
                slots.add(slot);
            }
        }
    }

    @Override
    public void close() {
        connection.close();
        if (closed.compareAndSet(false, true)) {
            home.close();
        }
    }

    /** For tests that end its session. */
    ZkConnection connection() {
        return connection;
    }

    /** Makes sure that what is read next is no older than this client's last write, answered or not. */
    private void catchUp(ZkSession session) throws KeeperException, InterruptedException, TimeoutException {
        if (connection.mayLag(session)) {
            ZkConnection.Mark mark = connection.markOf(session);
            try {
                session.await(session.touch(paths.time()));
            } catch (KeeperException.NoNodeException e) {
                touchElsewhere(session);
            }
            connection.isCaughtUp(mark);
        }
    }

    private @Nullable RegistryRecord registry(ZkSession session)
            throws KeeperException, InterruptedException, TimeoutException {
        return seen(session, session.await(session.data(paths.registry())), 0).record();
    }

    private static @Nullable SlotRecord parse(String path, ZkSession.Data data) {
        return data.isEmpty() ? null : RecordCodec.slot(data.text(), "ZooKeeper node " + path);
    }
}
