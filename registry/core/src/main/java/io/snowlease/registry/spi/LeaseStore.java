package io.snowlease.registry.spi;

import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A coordinator as the protocol sees it, for one namespace: a registry record and an array of slot records that are
 * only ever written by compare-and-set.
 *
 * <p>The safety rule: {@link #write} changes a slot only if, in one atomic step at the store, the <em>whole</em> slot
 * record is still the one that was read, and the registry record and the server's identity are still those of the view
 * that the write was planned on. A write that was answered {@link WriteResult#WRITTEN} stays.
 *
 * <p>Every call waits for a bounded time and then throws {@link StoreUnavailableException}; an interrupt ends the wait
 * early, in the same way, with the flag left set. A call may be made twice by a transport that retries: a write whose
 * record is already stored answers {@code WRITTEN}. Thread-safe. One contract suite runs
 * against every implementation.
 */
public interface LeaseStore extends AutoCloseable {
    /** The servers, for messages: never a password. */
    String servers();

    /**
     * Bounds each call by {@code longest} from now on, as well as by what the store was opened with: a start must not
     * wait for longer than it may, what comes after it can.
     */
    default void limitCalls(Duration longest) {}

    /** Whether the store itself knows that this namespace has never been used (an empty folder, the heap). */
    boolean isNeverUsed();

    /** How long a replaced primary of this store may go on accepting writes, in ms: L of a registry made on it. */
    long lagMillis();

    /** The coordinator's time, then the registry record as it is no earlier than that. */
    RegistryView view();

    /** Makes the registry unless there is one; false, and nothing changed, if there is. */
    boolean create(RegistryRecord record);

    /** Replaces the registry record; false, and nothing changed, if it or the server is not as {@code seen}. */
    boolean replace(RegistryView seen, RegistryRecord next);

    /** Worker ids last leased to a node of this name, latest first, at most a handful; a hint. */
    List<Integer> workersOf(String node);

    /**
     * The slot of a worker id of the registry's range that was never leased, as if just read, or empty when all have
     * been leased. Two callers may get the same one: {@link #write} lets one of them have it.
     */
    Optional<StoredSlot> nextNeverUsed(RegistryView view);

    /** Slots by bound, lowest first, at most {@code limit}; a hint. */
    List<SlotBound> bounds(int limit);

    /** Reads one slot. */
    StoredSlot read(int worker);

    /** What a node may claim on a registry: by default each of the four questions above, asked when it comes up. */
    default Candidates candidates(RegistryView view, String node) {
        return Candidates.oneByOne(this, view, node);
    }

    /**
     * Writes {@code next} over {@code expected}, see the safety rule above.
     *
     * @param plannedOn the view the write was planned on
     * @param expected the slot as it was read
     * @param next the record to store; its worker is {@code expected}'s
     * @param beforeMillis coordinator's time from which the write must be refused, exclusive; {@link Long#MAX_VALUE}
     *     for none. Stores that never lose an acknowledged write may leave this unchecked: a record that is unchanged
     *     proves there that nothing came between
     */
    WriteResult write(RegistryView plannedOn, StoredSlot expected, SlotRecord next, long beforeMillis);

    /**
     * Whether nothing of Snowlease is there yet, so that {@link #view} would have to make something to tell the time by.
     * Only reads.
     */
    default boolean isBlank() {
        return false;
    }

    /**
     * What an operator should know of this store: how durable it is, which of its servers answer. Only reads; servers
     * that don't answer are findings, not exceptions. Checks are called {@code servers} and {@code durability}, or by
     * names of the store's own.
     */
    default List<Finding> findings() {
        return List.of();
    }

    /** All slot records, by worker id. */
    List<SlotRecord> list();

    /** Ends all connections; calls under way end with {@link StoreUnavailableException}. Does not throw. */
    @Override
    void close();
}
