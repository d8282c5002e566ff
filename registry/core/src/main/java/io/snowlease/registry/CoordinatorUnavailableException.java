package io.snowlease.registry;

import io.snowlease.registry.spi.SlowAnswerException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The coordinator did not answer in time, or so late that its time says nothing. */
public final class CoordinatorUnavailableException extends RegistryException {
    private static final long serialVersionUID = 1L;

    CoordinatorUnavailableException(String servers, Duration waited, @Nullable Throwable cause) {
        super(
                cause instanceof SlowAnswerException ? slow(servers, waited, cause) : absent(servers, waited, cause),
                cause);
    }

    private static String slow(String servers, Duration waited, Throwable cause) {
        return "coordinator " + servers + " answers too slowly, tried for " + waited.toMillis() + " ms ("
                + cause.getMessage() + "): see what slows it or the network down, or state a larger S (maxSkew,"
                + " --max-skew) where the registry is not made yet";
    }

    private static String absent(String servers, Duration waited, @Nullable Throwable cause) {
        return "coordinator " + servers + " did not answer within " + waited.toMillis() + " ms"
                + (cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")")
                + ": check that it runs and that this address is right";
    }
}
