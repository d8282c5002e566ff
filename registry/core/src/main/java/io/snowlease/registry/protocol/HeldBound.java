package io.snowlease.registry.protocol;

/**
 * What a holder knows of its own lease, without asking anybody.
 *
 * @param worker worker id
 * @param epoch fencing epoch
 * @param token proof of ownership
 * @param registryId the registry that granted it
 * @param floor first timestamp of the lease
 * @param until last bound the coordinator acknowledged
 */
public record HeldBound(int worker, long epoch, String token, String registryId, long floor, long until) {

    /** Without the token: this goes to logs. */
    @Override
    public String toString() {
        return "HeldBound[worker=" + worker + ", epoch=" + epoch + ", registryId=" + registryId + ", floor=" + floor
                + ", until=" + until + "]";
    }
}
