package io.snowlease.admin.serve;

/** Waits between two tries, and tells people why. */
public interface Patience {
    /**
     * Waits for this long at most, or for a pause where that is not known or longer.
     *
     * @param millis estimate of the ms until a try can succeed, or -1
     * @param why its message is what people are told, once for each kind of exception and {@code detail}: the text itself
     *     differs from one try to the next (by the time left, say)
     * @throws InterruptedException if the service is closed meanwhile
     */
    void await(long millis, RuntimeException why, String detail) throws InterruptedException;
}
