package io.snowlease.registry;

import java.time.Instant;

/** This node's clock is too far from the coordinator's to be believed. */
public final class ClockSkewException extends RegistryException {
    private static final long serialVersionUID = 1L;

    private final long skewMillis;

    ClockSkewException(long localMillis, long coordinatorMillis, long maxSkewMillis) {
        super(
                "this node's clock (" + Instant.ofEpochMilli(localMillis) + ") is "
                        + Math.abs(localMillis - coordinatorMillis) + " ms "
                        + (localMillis > coordinatorMillis ? "ahead of" : "behind") + " the coordinator's ("
                        + Instant.ofEpochMilli(coordinatorMillis) + "), tolerated are " + maxSkewMillis
                        + " ms: correct the clock (NTP) on whichever is wrong",
                null);
        this.skewMillis = localMillis - coordinatorMillis;
    }

    /** Node's clock minus coordinator's, in ms. */
    public long skewMillis() {
        return skewMillis;
    }
}
