package io.snowlease.registry.zookeeper;

import io.snowlease.generator.Clocks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One call's use of one ZooKeeper session. Operations are sent at once and answered in the order they were sent, so
 * that several cost one round trip; a read sent after a write sees it. Nothing is retried here.
 */
final class ZkSession {
    private final ZooKeeper handle;
    private final Clocks clocks;
    private final long deadlineNanos;
    private final Consumer<String> trace;
    private final Access access;
    private volatile @Nullable CompletableFuture<?> awaited;
    private volatile boolean aborted;

    ZkSession(ZooKeeper handle, Clocks clocks, long deadlineNanos, Consumer<String> trace, Access access) {
        this.handle = handle;
        this.clocks = clocks;
        this.deadlineNanos = deadlineNanos;
        this.trace = trace;
        this.access = access;
    }

    /** A node's data as text, and what ZooKeeper says of it. */
    record Data(String text, Stat stat) {
        boolean isEmpty() {
            return text.isEmpty();
        }

        int version() {
            return stat.getVersion();
        }
    }

    /** Which session this is: one that replaces it is another. */
    ZooKeeper handle() {
        return handle;
    }

    /** Empties a node, whatever its version; the answer's mtime is the coordinator's time. */
    CompletableFuture<Stat> touch(String path) {
        CompletableFuture<Stat> reply = sent("touch");
        handle.setData(path, new byte[0], -1, (rc, p, ctx, stat) -> complete(reply, rc, path, stat), null);
        return reply;
    }

    /** Data of a node, or null where there is none. */
    CompletableFuture<@Nullable Data> data(String path) {
        CompletableFuture<@Nullable Data> reply = sent("getData");
        handle.getData(
                path,
                false,
                (rc, p, ctx, bytes, stat) -> {
                    if (rc == Code.OK.intValue()) {
                        reply.complete(new Data(new String(bytes, StandardCharsets.UTF_8), stat));
                    } else if (rc == Code.NONODE.intValue()) {
                        reply.complete(null);
                    } else {
                        fail(reply, rc, path);
                    }
                },
                null);
        return reply;
    }

    /** What ZooKeeper says of a node, or null where there is none. */
    CompletableFuture<@Nullable Stat> stat(String path) {
        CompletableFuture<@Nullable Stat> reply = sent("exists");
        handle.exists(
                path,
                false,
                (rc, p, ctx, stat) -> {
                    if (rc == Code.NONODE.intValue()) {
                        reply.complete(null);
                    } else {
                        complete(reply, rc, path, stat);
                    }
                },
                null);
        return reply;
    }

    /** Names of a node's children, in no order; none where there is no node. */
    CompletableFuture<List<String>> children(String path) {
        CompletableFuture<List<String>> reply = sent("getChildren");
        handle.getChildren(
                path,
                false,
                (rc, p, ctx, names) -> {
                    if (rc == Code.NONODE.intValue()) {
                        reply.complete(List.of());
                    } else {
                        complete(reply, rc, path, names);
                    }
                },
                null);
        return reply;
    }

    /** Makes a node; the answer is its path. */
    CompletableFuture<String> create(String path, byte[] data, CreateMode mode) {
        CompletableFuture<String> reply = sent("create");
        handle.create(path, data, access.acl(), mode, (rc, p, ctx, name) -> complete(reply, rc, path, name), null);
        return reply;
    }

    /** To be sent by {@link #multi}: makes a persistent node. */
    Op creation(String path, byte[] data) {
        return Op.create(path, data, access.acl(), CreateMode.PERSISTENT);
    }

    /** Who may do what with a node. */
    CompletableFuture<List<ACL>> acl(String path) {
        CompletableFuture<List<ACL>> reply = sent("getACL");
        handle.getACL(path, null, (rc, p, ctx, acl, stat) -> complete(reply, rc, path, acl), null);
        return reply;
    }

    /** All or nothing; the answer is -1, or the index of the operation that did not fit what is there. */
    CompletableFuture<Integer> multi(List<Op> ops) {
        CompletableFuture<Integer> reply = sent("multi");
        handle.multi(
                ops,
                (rc, p, ctx, results) -> {
                    int refused = rc == 0 ? -1 : refused(results);
                    if (refused >= 0 && results.get(refused) instanceof ErrorResult error && !isMismatch(error)) {
                        fail(reply, error.getErr(), ops.get(refused).getPath());
                    } else if (rc == 0 || refused >= 0) {
                        reply.complete(refused);
                    } else {
                        fail(reply, rc, null);
                    }
                },
                null);
        return reply;
    }

    /** Makes a persistent node and those above it, unless they are there: without rights above, those must be. */
    void ensure(String path) throws KeeperException, InterruptedException, TimeoutException {
        List<String> missing = new ArrayList<>();
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            missing.add(path.substring(0, end));
        }
        missing.add(path);
        List<CompletableFuture<String>> replies = missing.stream()
                .map(node -> create(node, new byte[0], CreateMode.PERSISTENT))
                .toList();
        for (int i = 0; i < replies.size(); i++) {
            try {
                await(replies.get(i));
            } catch (KeeperException.NodeExistsException e) {
                // As wished.
            } catch (KeeperException.NoAuthException e) {
                // Said of a node that is there, too.
                if (await(stat(missing.get(i))) == null) {
                    throw new CreateRefusedException(missing.get(i));
                }
            }
        }
    }

    /** Waits for a reply, until this call's deadline. */
    <T> T await(CompletableFuture<T> reply) throws KeeperException, InterruptedException, TimeoutException {
        awaited = reply;
        if (aborted) {
            abort();
        }
        try {
            return reply.get(Math.max(0, deadlineNanos - clocks.monotonicNanos()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KeeperException refused) {
                throw refused;
            }
            throw new IllegalStateException("unexpected: " + e.getCause(), e);
        }
    }

    /** Ends the wait for a reply, from another thread. */
    void abort() {
        aborted = true;
        CompletableFuture<?> reply = awaited;
        if (reply != null) {
            fail(reply, Code.SESSIONEXPIRED.intValue(), null);
        }
    }

    private <T> CompletableFuture<T> sent(String operation) {
        trace.accept(operation);
        return new CompletableFuture<>();
    }

    private static int refused(@Nullable List<OpResult> results) {
        if (results != null) {
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof ErrorResult error && error.getErr() != Code.OK.intValue()) {
                    return i;
                }
            }
        }
        return -1;
    }

    private static boolean isMismatch(ErrorResult error) {
        return switch (Code.get(error.getErr())) {
            case BADVERSION, NONODE, NODEEXISTS, NOTEMPTY -> true;
            default -> false;
        };
    }

    private static <T> void complete(CompletableFuture<T> reply, int rc, String path, T value) {
        if (rc == Code.OK.intValue()) {
            reply.complete(value);
        } else {
            fail(reply, rc, path);
        }
    }

    private static void fail(CompletableFuture<?> reply, int rc, @Nullable String path) {
        reply.completeExceptionally(KeeperException.create(Code.get(rc), path));
    }
}
