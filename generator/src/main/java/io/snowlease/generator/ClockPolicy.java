package io.snowlease.generator;

/** What to do while the clock is behind the last timestamp. Each issues ids in increasing order, below the bound. */
public enum ClockPolicy {
    /** Wait for the clock, at most {@code maxWait}, then throw {@link ClockBehindException}. The default. */
    REFUSE,
    /** Stay on the last timestamp while its sequences last, then as {@link #REFUSE}. */
    HOLD,
    /**
     * Run ahead of the clock: a clock that is behind, or a tick whose sequences are used up, carries into the next
     * tick, up to the lease's bound. Timestamps then tell when an id was issued to within a lease's duration only.
     */
    BORROW
}
