package io.snowlease.registry.protocol;

import java.util.Objects;

/**
 * What the coordinator keeps for one worker id; the same in every store.
 *
 * @param worker worker id, {@code 0 .. 2^workerBits - 1}
 * @param epoch fencing epoch; only grows (I5)
 * @param node the holder's name: a hint for affinity and for people, never a proof
 * @param token 128-bit random hex, new for each claim: the proof of ownership
 * @param state stored state
 * @param floor first timestamp allowed to this lease
 * @param until first timestamp not allowed to this lease
 * @param last last timestamp reported at a renewal; exact when {@code RELEASED}
 * @param claimedAt coordinator's time of the claim
 * @param renewedAt coordinator's time of the last renewal
 */
public record SlotRecord(
        int worker,
        long epoch,
        String node,
        String token,
        SlotState state,
        long floor,
        long until,
        long last,
        long claimedAt,
        long renewedAt) {

    /** Checks that nothing is missing. */
    public SlotRecord {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(state, "state");
        if (worker < 0) {
            throw new IllegalArgumentException("must be >= 0: worker=" + worker);
        }
    }

    /** Whether this lease is the one that {@code token} and {@code epoch} prove. */
    public boolean isLeaseOf(String otherToken, long otherEpoch) {
        return epoch == otherEpoch && token.equals(otherToken);
    }

    /** What its holder knows of it. */
    public HeldBound heldIn(String registryId) {
        return new HeldBound(worker, epoch, token, registryId, floor, until);
    }

    SlotRecord renewed(long newUntil, long newLast, long now) {
        return new SlotRecord(worker, epoch, node, token, state, floor, newUntil, newLast, claimedAt, now);
    }

    SlotRecord released(long newUntil, long newLast, long now) {
        return new SlotRecord(worker, epoch, node, token, SlotState.RELEASED, floor, newUntil, newLast, claimedAt, now);
    }

    SlotRecord evicted(String newToken, long newUntil) {
        return new SlotRecord(
                worker, epoch, node, newToken, SlotState.EVICTED, floor, newUntil, last, claimedAt, renewedAt);
    }

    /** Without the token: this goes to logs. */
    @Override
    public String toString() {
        return "SlotRecord[worker=" + worker + ", epoch=" + epoch + ", node=" + node + ", state=" + state + ", floor="
                + floor + ", until=" + until + ", last=" + last + ", claimedAt=" + claimedAt + ", renewedAt="
                + renewedAt + "]";
    }
}
