package io.snowlease.registry.zookeeper;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.spi.RecordCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/** The node that holds the registry record, and what is made along with it. */
final class RegistryNode {
    private RegistryNode() {}

    /** All or nothing; false if there is a registry. */
    static boolean create(ZkSession session, ZkPaths paths, RegistryRecord record)
            throws KeeperException, InterruptedException, TimeoutException {
        session.ensure(paths.root());
        List<Op> ops = Stream.concat(
                        Stream.of(session.creation(paths.registry(), bytes(record))),
                        Stream.of(
                                        paths.workers(),
                                        paths.time(),
                                        paths.nodes(),
                                        paths.bounds(),
                                        paths.ids(),
                                        paths.id(record.registryId()))
                                .map(path -> session.creation(path, new byte[0])))
                .toList();
        return session.await(session.multi(ops)) < 0;
    }

    /** False if the registry is no longer as {@code seen}, in version {@code version}. */
    static boolean replace(ZkSession session, ZkPaths paths, RegistryRecord seen, int version, RegistryRecord next)
            throws KeeperException, InterruptedException, TimeoutException {
        List<Op> ops =
                List.of(Op.check(paths.id(seen.registryId()), -1), Op.setData(paths.registry(), bytes(next), version));
        int refused = session.await(session.multi(ops));
        if (refused == 0 && repair(session, paths, seen)) {
            refused = session.await(session.multi(ops));
        }
        return refused < 0;
    }

    /**
     * Makes what an operator has deleted of a registry that is still there, except slots: those can't be guessed. False
     * if the registry is gone or another one.
     */
    static boolean repair(ZkSession session, ZkPaths paths, RegistryRecord seen)
            throws KeeperException, InterruptedException, TimeoutException {
        ZkSession.@Nullable Data data = session.await(session.data(paths.registry()));
        if (data == null || !parse(data, paths).registryId().equals(seen.registryId())) {
            return false;
        }
        if (session.await(session.stat(paths.ids())) == null) {
            session.await(session.multi(
                    List.of(Op.check(paths.registry(), data.version()), session.creation(paths.ids(), new byte[0]))));
        }
        int refused = session.await(session.multi(List.of(
                Op.check(paths.registry(), data.version()),
                session.creation(paths.id(seen.registryId()), new byte[0]))));
        return refused != 0;
    }

    static RegistryRecord parse(ZkSession.Data data, ZkPaths paths) {
        return RecordCodec.registry(data.text(), "ZooKeeper node " + paths.registry());
    }

    private static byte[] bytes(RegistryRecord record) {
        return RecordCodec.toJson(record).getBytes(StandardCharsets.UTF_8);
    }
}
