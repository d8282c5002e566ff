package io.snowlease.registry;

import java.time.Instant;

/** No lease can start yet: a quarantine or an operator's floor lies ahead. */
public final class NotGrantableYetException extends RegistryException {
    private static final long serialVersionUID = 1L;

    private final Instant grantableAt;
    private final long waitMillis;

    NotGrantableYetException(String what, Instant grantableAt, long waitMillis) {
        super(
                what + ": no lease is granted before " + grantableAt + ", in " + waitMillis
                        + " ms by the coordinator's clock; try again then, or raise the start timeout",
                null);
        this.grantableAt = grantableAt;
        this.waitMillis = waitMillis;
    }

    /** Coordinator's time from which a lease can be granted. */
    public Instant grantableAt() {
        return grantableAt;
    }

    /** How long that was away, in ms. */
    public long waitMillis() {
        return waitMillis;
    }
}
