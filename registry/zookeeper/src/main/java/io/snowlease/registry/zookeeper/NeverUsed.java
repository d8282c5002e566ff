package io.snowlease.registry.zookeeper;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.RecordCodec;
import io.snowlease.registry.spi.StoredSlot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds worker ids that were never leased: the next sequence number while there are any in the range; then those whose
 * node was made but never written, because whoever made it ended in between. Such nodes are the ones that the index by
 * bound does not know.
 */
final class NeverUsed {
    private static final Logger LOG = LoggerFactory.getLogger(NeverUsed.class);
    private static final int BATCH = 64;

    private final ZkPaths paths;
    private final String registryId;
    private final WorkerRange range;

    NeverUsed(ZkPaths paths, RegistryRecord registry) {
        this.paths = paths;
        this.registryId = registry.registryId();
        this.range = registry.range();
    }

    /** Whether the next sequence number is still one of the range; two reads. */
    boolean isLeft(ZkSession session) throws KeeperException, InterruptedException, TimeoutException {
        Stat workers = session.await(session.stat(paths.workers()));
        return workers != null && created(workers) < range.size();
    }

    /** Takes the next sequence number; empty if that is past the range, since others were faster. */
    Optional<StoredSlot> next(ZkSession session) throws KeeperException, InterruptedException, TimeoutException {
        String path = session.await(session.create(paths.nextWorker(), new byte[0], CreateMode.PERSISTENT_SEQUENTIAL));
        int sequence = ZkPaths.sequence(path).orElseThrow();
        return sequence < range.size() ? Optional.of(empty(range.first() + sequence, 0)) : Optional.empty();
    }

    /** Looks for nodes that were made but never written; puts the index right on the way. */
    Optional<StoredSlot> unclaimed(ZkSession session) throws KeeperException, InterruptedException, TimeoutException {
        Stat bounds = session.await(session.stat(paths.bounds()));
        if (bounds != null && bounds.getNumChildren() >= range.size()) {
            return Optional.empty();
        }
        List<Integer> unknown = notInIndex(session);
        for (int start = 0; start < unknown.size(); start += BATCH) {
            List<Integer> batch = unknown.subList(start, Math.min(start + BATCH, unknown.size()));
            List<CompletableFuture<ZkSession.@Nullable Data>> replies = new ArrayList<>();
            for (int worker : batch) {
                replies.add(session.data(paths.worker(worker - range.first())));
            }
            for (int i = 0; i < batch.size(); i++) {
                ZkSession.@Nullable Data data = session.await(replies.get(i));
                if (data != null && data.isEmpty()) {
                    return Optional.of(empty(batch.get(i), data.version()));
                }
                if (data != null) {
                    index(session, batch.get(i), data);
                }
            }
        }
        return Optional.empty();
    }

    /** The registry's id is in the stamp, so that a slot of one that was made anew meanwhile is not written. */
    private StoredSlot empty(int worker, int version) {
        return new StoredSlot(worker, null, new SlotStamp(version, registryId));
    }

    private List<Integer> notInIndex(ZkSession session) throws KeeperException, InterruptedException, TimeoutException {
        BitSet known = new BitSet();
        for (String name : session.await(session.children(paths.bounds()))) {
            BoundName.parse(name)
                    .filter(bound -> range.contains(bound.worker()))
                    .ifPresent(bound -> known.set(bound.worker() - range.first()));
        }
        List<Integer> unknown = new ArrayList<>();
        for (int i = known.nextClearBit(0); i < range.size(); i = known.nextClearBit(i + 1)) {
            unknown.add(range.first() + i);
        }
        return unknown;
    }

    /** An entry that an operator has deleted; none for what is not the slot's record. Refused without harm if the slot has changed meanwhile. */
    private void index(ZkSession session, int worker, ZkSession.Data data)
            throws KeeperException, InterruptedException, TimeoutException {
        String path = paths.worker(worker - range.first());
        SlotRecord slot;
        try {
            slot = RecordCodec.slot(data.text(), "ZooKeeper node " + path);
        } catch (MalformedRecordException e) {
            LOG.warn("worker {} can't be leased until an operator has put its record right", worker, e);
            return;
        }
        if (slot.worker() != worker) {
            LOG.warn(
                    "worker {} can't be leased until an operator has put its record right: {} holds that of worker {}",
                    worker,
                    path,
                    slot.worker());
            return;
        }
        session.ensure(paths.bounds());
        session.await(session.multi(List.of(
                Op.check(path, data.version()), session.creation(paths.bound(BoundName.of(slot)), new byte[0]))));
    }

    /** ZooKeeper's cversion counts creates and deletes of children; sequence numbers come from the creates alone. */
    private static long created(Stat parent) {
        return ((long) parent.getCversion() + parent.getNumChildren()) / 2;
    }
}
