package io.snowlease.registry;

/**
 * A lease that this process uses, as it stood a moment ago.
 *
 * @param worker worker id
 * @param epoch fencing epoch
 * @param state how it stands
 * @param reason why it is not {@code HELD}; empty when it is
 * @param notBeforeMillis first timestamp of the lease, ms since 1970
 * @param untilMillis bound, ms since 1970, exclusive
 * @param skewMillis this node's clock minus the coordinator's at the last exchange, in ms, network delay included
 */
public record LeaseStatus(
        int worker,
        long epoch,
        LeaseState state,
        String reason,
        long notBeforeMillis,
        long untilMillis,
        long skewMillis) {}
