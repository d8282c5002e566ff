package io.snowlease.admin.serve;

import java.time.Duration;

/** The coordinator gave no sign of life since the server was started. */
public final class CoordinatorAwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CoordinatorAwayException(String servers, Duration startTimeout, Throwable lastFailure) {
        super(
                "coordinator " + servers + " gave no answer within --start-timeout " + startTimeout.toMillis()
                        + "ms: check that it runs and that this address is right",
                lastFailure);
    }
}
