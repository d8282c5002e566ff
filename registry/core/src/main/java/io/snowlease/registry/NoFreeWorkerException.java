package io.snowlease.registry;

import io.snowlease.registry.protocol.WorkerRange;
import java.time.Instant;

/** All worker ids of the range are held. */
public final class NoFreeWorkerException extends RegistryException {
    private static final long serialVersionUID = 1L;

    private final int held;
    private final Instant nextExpiry;

    NoFreeWorkerException(WorkerRange range, int held, Instant nextExpiry) {
        super(
                "no free worker id: " + held + " of " + range.size() + " (" + range
                        + ") are held, the next one expires at " + nextExpiry
                        + " unless it is renewed; stop a node, or use a layout with more worker bits",
                null);
        this.held = held;
        this.nextExpiry = nextExpiry;
    }

    /** How many worker ids are held. */
    public int held() {
        return held;
    }

    /** When the next one is free, unless it is renewed. */
    public Instant nextExpiry() {
        return nextExpiry;
    }
}
