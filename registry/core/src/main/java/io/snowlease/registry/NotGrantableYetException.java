package io.snowlease.registry;

import java.time.Instant;

/** No lease can start yet: a quarantine, an operator's floor, or what this node's journal has used lies ahead. */
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

    private NotGrantableYetException(Instant grantableAt, long waitMillis, String message) {
        super(message, null);
        this.grantableAt = grantableAt;
        this.waitMillis = waitMillis;
    }

    /** This node's clock has not come to the first timestamp it can use: it was set back, or is behind others. */
    static NotGrantableYetException clockBehind(long localMillis, long firstMillis, String journal) {
        long behind = firstMillis - localMillis;
        Instant first = Instant.ofEpochMilli(firstMillis);
        return new NotGrantableYetException(
                first,
                behind,
                "this node's clock (" + Instant.ofEpochMilli(localMillis) + ") is " + seconds(behind)
                        + " behind the first timestamp not used yet, " + first
                        + (journal.isEmpty() ? "" : " (" + journal + ")")
                        + ": ids come when it has got there; if it was set back by mistake, correct it (NTP)");
    }

    private static String seconds(long millis) {
        return millis < 10_000 ? millis + " ms" : Math.round(millis / 1000.0) + " s (" + millis + " ms)";
    }

    /** Coordinator's time, or where this node's clock is behind its own, from which a lease can be granted. */
    public Instant grantableAt() {
        return grantableAt;
    }

    /** How long that was away, in ms. */
    public long waitMillis() {
        return waitMillis;
    }
}
