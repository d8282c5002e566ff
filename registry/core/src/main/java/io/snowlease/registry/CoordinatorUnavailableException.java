package io.snowlease.registry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The coordinator did not answer in time. */
public final class CoordinatorUnavailableException extends RegistryException {
    private static final long serialVersionUID = 1L;

    CoordinatorUnavailableException(String servers, Duration waited, @Nullable Throwable cause) {
        super(
                "coordinator " + servers + " did not answer within " + waited.toMillis() + " ms"
                        + (cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")")
                        + ": check that it runs and that this address is right",
                cause);
    }
}
