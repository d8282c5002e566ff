package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.spi.SlowAnswerException;
import io.snowlease.registry.spi.StoreAccessException;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** The bounded wait of a start: retries what can pass by itself, and throws at once what can't in time. */
final class StartDeadline {
    private static final Duration BACKOFF_CAP = Duration.ofSeconds(1);

    private final Clocks clocks;
    private final Duration timeout;
    private final String servers;
    private final long startNanos;
    private final Backoff backoff = new Backoff(ThreadLocalRandom.current(), BACKOFF_CAP);

    StartDeadline(Clocks clocks, Duration timeout, String servers) {
        this.clocks = clocks;
        this.timeout = timeout;
        this.servers = servers;
        this.startNanos = clocks.monotonicNanos();
    }

    /**
     * Tries until it works or the time is up.
     *
     * @throws CoordinatorAccessException at once, if the coordinator refuses this node
     * @throws CoordinatorUnavailableException if the coordinator never answered
     * @throws RegistryException the last refusal, at once where waiting can't help
     */
    <T> T retry(Supplier<T> attempt) {
        while (true) {
            Duration wait;
            try {
                return attempt.get();
            } catch (StoreAccessException e) {
                throw new CoordinatorAccessException(e);
            } catch (StoreUnavailableException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new RegistryInterruptedException("while waiting for coordinator " + servers);
                }
                if (remainingMillis() <= 0) {
                    throw new CoordinatorUnavailableException(
                            servers, e instanceof SlowAnswerException ? waited() : timeout, e);
                }
                wait = backoff.next();
            } catch (NoFreeWorkerException e) {
                if (remainingMillis() <= 0) {
                    throw e;
                }
                wait = backoff.next();
            } catch (NotGrantableYetException e) {
                if (e.waitMillis() > remainingMillis()) {
                    throw e;
                }
                wait = Duration.ofMillis(Math.max(1, e.waitMillis()));
            }
            sleep(wait);
        }
    }

    /** Waits until the wall clock has come to {@code millis}; false, at once, if it can't within the time left. */
    boolean awaitWall(long millis) {
        long missing = millis - clocks.wallMillis();
        while (missing > 0) {
            if (missing > remainingMillis()) {
                return false;
            }
            sleep(Duration.ofMillis(missing));
            missing = millis - clocks.wallMillis();
        }
        return true;
    }

    private Duration waited() {
        return Duration.ofNanos(clocks.monotonicNanos() - startNanos);
    }

    long remainingMillis() {
        return timeout.toMillis() - waited().toMillis();
    }

    private void sleep(Duration wait) {
        long endNanos = clocks.monotonicNanos() + Math.min(wait.toNanos(), Math.max(1, remainingMillis()) * 1_000_000);
        for (long left = endNanos - clocks.monotonicNanos(); left > 0; left = endNanos - clocks.monotonicNanos()) {
            clocks.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new RegistryInterruptedException("while waiting for a worker id from " + servers);
            }
        }
    }
}
