package io.snowlease.registry.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import io.snowlease.registry.redis.RedisConnection.Reply;
import io.snowlease.registry.redis.RedisConnection.Request;
import io.snowlease.registry.spi.Candidates;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.RecordCodec;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.SlotBound;
import io.snowlease.registry.spi.StoreAccessException;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slots as fields of one hash, laid out as {@link RedisKeys} says and changed by {@link Script}s alone. Each call is one
 * round trip, so a claim costs three however many slots there are: a look, the candidates, the write.
 */
final class RedisStore implements LeaseStore {
    /** The stamp of a slot that has no record. */
    static final String NEVER_LEASED = "";

    private static final Logger LOG = LoggerFactory.getLogger(RedisStore.class);
    private static final String REGISTRY = "registry";
    private static final Duration LONGEST_LEASE = Duration.ofMinutes(10);
    private static final int BOUNDS_READ = 4096;
    private static final Pattern WORKER = Pattern.compile("\\d{1,9}");
    private static final Pattern COMMA = Pattern.compile(",");

    private final RedisConnection connection;
    private final RedisServers servers;
    private final RedisKeys keys;
    private final Replicas replicas;

    /** Writes whose outcome, at the replicas too, is not known; up to which of them it has been settled. */
    private final AtomicLong unclearWrites = new AtomicLong();

    private final AtomicLong settledWrites = new AtomicLong();
    private final AtomicInteger replicasOfUnclear = new AtomicInteger();

    /** L of the registry last seen. */
    private volatile long lagMillis;

    RedisStore(RedisConnection connection, RedisServers servers, RedisKeys keys) {
        this.connection = connection;
        this.servers = servers;
        this.keys = keys;
        this.replicas = new Replicas(servers);
    }

    @Override
    public String servers() {
        return servers.toString();
    }

    @Override
    public void limitCalls(Duration longest) {
        connection.limitCalls(longest);
    }

    /** A Redis that has lost its data looks just like one that was never used. */
    @Override
    public boolean isNeverUsed() {
        return false;
    }

    @Override
    public long lagMillis() {
        return replicas.lagMillis();
    }

    @Override
    public List<Finding> findings() {
        try {
            RegistryView view = view();
            RegistryRecord registry = view.record();
            long lag = registry == null ? -1 : registry.lagMillis();
            int needed = replicas.needed(view.serverIdentity(), Math.max(lag, replicas.lagMillis()));
            return RedisFindings.of(servers(), facts(), needed, lag);
        } catch (StoreUnavailableException e) {
            // A server that has answered is there: what it said is what is wrong.
            boolean hasAnswered = e.getCause() instanceof RedisCommandExecutionException;
            return List.of(Finding.failure(
                    "servers",
                    String.valueOf(e.getMessage()),
                    hasAnswered ? "" : "check that it runs and that this address is right"));
        } catch (MalformedRecordException e) {
            return List.of(Finding.failure("servers", String.valueOf(e.getMessage()), "put the record right"));
        }
    }

    private ServerFacts facts() {
        String info = connection.ask("asking for its state", commands -> commands.info());
        Map<String, String> config = new HashMap<>();
        try {
            for (String setting : RedisFindings.SETTINGS) {
                config.putAll(connection.ask("asking for its settings", commands -> commands.configGet(setting)));
            }
        } catch (StoreAccessException e) {
            LOG.debug("settings can't be seen", e);
        }
        return ServerFacts.of(info, config);
    }

    // Registry

    /** The record as it was read, to the letter. */
    private record Seen(String json) {}

    @Override
    public RegistryView view() {
        List<?> reply = (List<?>) ask("looking at the registry", Script.VIEW, keys.commonAnd(keys.none()));
        replicas.seen((String) reply.get(1), Integer.parseInt((String) reply.get(2)));
        String json = (String) reply.get(3);
        RegistryRecord record = json.isEmpty() ? null : RecordCodec.registry(json, keys.place(REGISTRY));
        lagMillis = record == null ? 0 : record.lagMillis();
        return new RegistryView(
                record,
                Long.parseLong((String) reply.get(0)),
                (String) reply.get(1),
                json.isEmpty() ? null : new Seen(json));
    }

    @Override
    public boolean create(RegistryRecord record) {
        if (record.leaseMillis() > LONGEST_LEASE.toMillis()) {
            throw new IllegalArgumentException("must be at most 10 min on Redis, which a new node waits out whenever"
                    + " data may have been lost: leaseDuration=" + Duration.ofMillis(record.leaseMillis()));
        }
        return change("making the registry", Script.CREATE, record.serverIdentity(), RecordCodec.toJson(record));
    }

    @Override
    public boolean replace(RegistryView seen, RegistryRecord next) {
        if (!(seen.stamp() instanceof Seen stamp)) {
            return false;
        }
        return change(
                "replacing the registry record",
                Script.REPLACE,
                seen.serverIdentity(),
                stamp.json(),
                RecordCodec.toJson(next));
    }

    private boolean change(String what, Script script, String... arguments) {
        Reply reply = connection.run(new Request(what, script, keys.common(), List.of(arguments), false, 0));
        return reply.value().equals(1L);
    }

    // Slots

    @Override
    public List<Integer> workersOf(String node) {
        String found = (String) ask("looking up the worker ids of " + node, Script.WORKERSOF, keys.common(), node);
        return COMMA.splitAsStream(found)
                .filter(WORKER.asMatchPredicate())
                .map(Integer::valueOf)
                .toList();
    }

    @Override
    public Optional<StoredSlot> nextNeverUsed(RegistryView view) {
        RegistryRecord registry = Objects.requireNonNull(view.record(), "no registry: view.record()=null");
        String worker = (String) ask(
                "looking for a never-used worker id",
                Script.NEVERUSED,
                keys.common(),
                String.valueOf(registry.firstWorker()),
                String.valueOf(registry.lastWorker()));
        return worker.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoredSlot(Integer.parseInt(worker), null, NEVER_LEASED));
    }

    @Override
    public List<SlotBound> bounds(int limit) {
        return BoundEntries.parse(
                (List<?>) ask("looking for free slots", Script.BOUNDS, keys.common(), String.valueOf(limit)));
    }

    @Override
    public Candidates candidates(RegistryView view, String node) {
        RegistryRecord registry = Objects.requireNonNull(view.record(), "no registry: view.record()=null");
        List<?> reply = (List<?>) ask(
                "looking for a worker id",
                Script.CANDIDATES,
                keys.common(),
                node,
                String.valueOf(registry.firstWorker()),
                String.valueOf(registry.lastWorker()),
                String.valueOf(view.now()),
                String.valueOf(registry.skewMillis()),
                String.valueOf(BOUNDS_READ));
        return new ClaimLook(this, view, reply);
    }

    /**
     * Also what tells how an unclear write came out: it is waited, then, until the replicas have all that was written
     * before. A record that is at the primary alone is no proof.
     */
    @Override
    public StoredSlot read(int worker) {
        long unclear = unclearWrites.get();
        boolean isProof = unclear > settledWrites.get();
        int asked = isProof ? replicasOfUnclear.get() : 0;
        String what = "reading the slot of worker " + worker;
        Reply reply = connection.run(new Request(
                what,
                Script.READ,
                keys.commonAnd(keys.barrier()),
                List.of(String.valueOf(worker), asked > 0 ? "1" : "0"),
                true,
                asked));
        List<?> found = (List<?>) reply.value();
        if (isProof) {
            // A server that has taken over meanwhile may have fewer; what it holds, it had from the one before.
            String identity = (String) found.get(1);
            replicas.seen(identity, Integer.parseInt((String) found.get(2)));
            requireAcknowledged(reply, Math.min(asked, replicas.needed(identity, lagMillis)), what);
            settledWrites.accumulateAndGet(unclear, Math::max);
        }
        return slot(worker, (String) found.get(0));
    }

    /** A slot from its record's text. */
    StoredSlot slot(int worker, String json) {
        if (json.isEmpty()) {
            return new StoredSlot(worker, null, NEVER_LEASED);
        }
        String place = keys.place(String.valueOf(worker));
        SlotRecord record = RecordCodec.slot(json, place);
        if (record.worker() != worker) {
            throw new MalformedRecordException(place + ": it holds the record of worker " + record.worker(), null);
        }
        return new StoredSlot(worker, record, json);
    }

    @Override
    public WriteResult write(RegistryView plannedOn, StoredSlot expected, SlotRecord next, long beforeMillis) {
        if (expected.worker() != next.worker()) {
            throw new IllegalArgumentException(
                    "must be one slot: expected.worker=" + expected.worker() + ", next.worker=" + next.worker());
        }
        RegistryRecord registry = plannedOn.record();
        if (registry == null || !(plannedOn.stamp() instanceof Seen seen)) {
            return WriteResult.REGISTRY_CHANGED;
        }
        SlotRecord previous = expected.record();
        int needed =
                next.state() == SlotState.HELD ? replicas.needed(plannedOn.serverIdentity(), registry.lagMillis()) : 0;
        String what = "writing the slot of worker " + next.worker();
        Request request = new Request(
                what,
                Script.WRITE,
                keys.commonAnd(keys.lease(next.worker())),
                List.of(
                        plannedOn.serverIdentity(),
                        seen.json(),
                        String.valueOf(next.worker()),
                        expected.stamp() instanceof String json ? json : NEVER_LEASED,
                        RecordCodec.toJson(next),
                        beforeMillis == Long.MAX_VALUE ? "" : String.valueOf(beforeMillis),
                        String.valueOf(next.until()),
                        next.state().name(),
                        next.token(),
                        next.node(),
                        previous == null ? next.node() : previous.node(),
                        isNewLease(previous, next) ? "1" : "0"),
                false,
                needed);
        try {
            Reply reply = connection.run(request);
            WriteResult result = WriteResult.valueOf((String) reply.value());
            if (result == WriteResult.WRITTEN) {
                requireAcknowledged(reply, needed, what);
            }
            return result;
        } catch (StoreUnavailableException unclear) {
            replicasOfUnclear.accumulateAndGet(needed, Math::max);
            unclearWrites.incrementAndGet();
            throw unclear;
        }
    }

    private static boolean isNewLease(@Nullable SlotRecord previous, SlotRecord next) {
        return next.state() == SlotState.HELD && (previous == null || !previous.isLeaseOf(next.token(), next.epoch()));
    }

    private void requireAcknowledged(Reply reply, int needed, String what) {
        if (reply.acknowledged() < needed) {
            throw new StoreUnavailableException(
                    reply.acknowledged() + " of " + needed + " replicas of Redis at " + servers
                            + " have acknowledged what was sent while " + what
                            + ": it does not count until they have, as it is lost if one of them takes over now; bring"
                            + " them back, or say how many there are by ?replicas=N in the URI",
                    null);
        }
    }

    @Override
    public List<SlotRecord> list() {
        TreeMap<Integer, SlotRecord> slots = new TreeMap<>();
        String cursor = "0";
        do {
            List<?> part = (List<?>) ask("listing slots", Script.LIST, keys.common(), cursor);
            cursor = (String) part.get(0);
            List<?> fields = (List<?>) part.get(1);
            for (int i = 0; i + 1 < fields.size(); i += 2) {
                String field = (String) fields.get(i);
                if (WORKER.matcher(field).matches()) {
                    int worker = Integer.parseInt(field);
                    SlotRecord record = slot(worker, (String) fields.get(i + 1)).record();
                    if (record != null) {
                        slots.put(worker, record);
                    }
                }
            }
        } while (!cursor.equals("0"));
        return new ArrayList<>(slots.values());
    }

    private Object ask(String what, Script script, List<String> declared, String... arguments) {
        return connection
                .run(new Request(what, script, declared, List.of(arguments), true, 0))
                .value();
    }

    @Override
    public void close() {
        connection.close();
    }
}
