package io.snowlease.registry.zookeeper;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.spi.RecordCodec;
import io.snowlease.registry.spi.SlotBound;
import io.snowlease.registry.spi.WriteResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * One transition: a single {@code multi} that checks the registry and the slot as they were read, writes the slot, and
 * moves both indexes along with it. The safety rule is in the first three operations; an index that an operator has
 * touched is put right and the whole is tried again.
 */
final class SlotWrite {
    private static final int MOST_TRIES = 8;

    /** Many nodes of one name that start at once get in each other's way; the name is a hint, the slot is not. */
    private static final int TRIES_WITH_NAMES = 4;

    /** In the order in which they are checked. */
    private static final int REGISTRY = 0;

    private static final int MARKER = 1;
    private static final int SLOT = 2;

    private final ZkPaths paths;
    private final NameIndex names;
    private final RegistryRecord registry;
    private final int registryVersion;
    private final int slotVersion;
    private final @Nullable SlotRecord previous;
    private final SlotRecord next;

    SlotWrite(
            ZkPaths paths,
            NameIndex names,
            RegistryRecord registry,
            int registryVersion,
            @Nullable SlotRecord previous,
            int slotVersion,
            SlotRecord next) {
        this.paths = paths;
        this.names = names;
        this.registry = registry;
        this.registryVersion = registryVersion;
        this.previous = previous;
        this.slotVersion = slotVersion;
        this.next = next;
    }

    WriteResult on(ZkSession session) throws KeeperException, InterruptedException, TimeoutException {
        String slot = paths.worker(next.worker() - registry.firstWorker());
        String bound = BoundName.of(next);
        Set<String> stale = new HashSet<>();
        boolean isIndexed = previous != null && BoundName.of(previous).equals(bound);
        if (previous != null && !isIndexed) {
            stale.add(BoundName.of(previous));
        }
        for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
            List<Op> ops = new ArrayList<>();
            ops.add(Op.check(paths.registry(), registryVersion));
            ops.add(Op.check(paths.id(registry.registryId()), -1));
            ops.add(Op.setData(slot, RecordCodec.toJson(next).getBytes(StandardCharsets.UTF_8), slotVersion));
            stale.forEach(name -> ops.add(Op.delete(paths.bound(name), -1)));
            if (!isIndexed) {
                ops.add(session.creation(paths.bound(bound), new byte[0]));
            }
            int firstOfNames = ops.size();
            if (attempt < TRIES_WITH_NAMES) {
                ops.addAll(names.changes(session, previous, next, attempt == 0));
            }

            int refused = session.await(session.multi(ops));
            if (refused < 0) {
                return WriteResult.WRITTEN;
            }
            if (refused == REGISTRY || (refused == MARKER && !RegistryNode.repair(session, paths, registry))) {
                return WriteResult.REGISTRY_CHANGED;
            }
            if (refused == SLOT) {
                return isStored(session, slot) ? WriteResult.WRITTEN : WriteResult.SLOT_CHANGED;
            }
            if (refused >= firstOfNames) {
                session.ensure(paths.nodes());
            } else if (refused > SLOT) {
                session.ensure(paths.bounds());
                stale = entriesOf(session, next.worker());
                isIndexed = stale.remove(bound);
            }
        }
        throw new KeeperException.RequestTimeoutException();
    }

    /** Whether an earlier sending of this write got through, only its answer did not. */
    private boolean isStored(ZkSession session, String slot)
            throws KeeperException, InterruptedException, TimeoutException {
        ZkSession.@Nullable Data data = session.await(session.data(slot));
        return data != null
                && !data.isEmpty()
                && RecordCodec.slot(data.text(), slot).equals(next);
    }

    private Set<String> entriesOf(ZkSession session, int worker)
            throws KeeperException, InterruptedException, TimeoutException {
        Set<String> entries = new HashSet<>();
        for (String name : session.await(session.children(paths.bounds()))) {
            Optional<SlotBound> entry = BoundName.parse(name);
            if (entry.isPresent() && entry.get().worker() == worker) {
                entries.add(name);
            }
        }
        return entries;
    }
}
