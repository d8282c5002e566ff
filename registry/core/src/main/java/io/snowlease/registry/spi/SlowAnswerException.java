package io.snowlease.registry.spi;

/** The coordinator did answer, but so late that its time says nothing: the next answer may come sooner. */
public final class SlowAnswerException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    /** Both in ms: how long the answer took, and S. */
    public SlowAnswerException(long tookMillis, long maxSkewMillis) {
        super(
                "an answer took " + tookMillis + " ms, too long to tell whether the clocks agree within "
                        + maxSkewMillis + " ms",
                null);
    }
}
