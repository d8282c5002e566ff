package io.snowlease.generator;

import java.util.Objects;

/**
 * What holds a lease's bound back.
 *
 * @param reason for people: what has not happened, and what ends it
 * @param retryAfterMillis estimate of the ms until the bound moves; -1 where waiting does not help or can't be estimated
 */
public record BoundDelay(String reason, long retryAfterMillis) {
    /** Checks that there is a reason. */
    public BoundDelay {
        Objects.requireNonNull(reason, "reason");
    }
}
