package io.snowlease.registry.protocol;

import io.snowlease.generator.Layout;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a registry is made with; {@code null} means "not stated": a new registry takes the default, an existing one's
 * value is adopted.
 *
 * @param layout id layout; default {@code CLASSIC}
 * @param leaseDuration D; default 60 s
 * @param maxSkew S; default 5 s
 * @param workers worker range; default all that the layout has bits for
 */
public record RegistrySettings(
        @Nullable Layout layout,
        @Nullable Duration leaseDuration,
        @Nullable Duration maxSkew,
        @Nullable WorkerRange workers) {

    /** D where none is stated. */
    public static final Duration DEFAULT_LEASE_DURATION = Duration.ofSeconds(60);

    /** S where none is stated. */
    public static final Duration DEFAULT_MAX_SKEW = Duration.ofSeconds(5);

    /** Nothing stated. */
    public static final RegistrySettings UNSTATED = new RegistrySettings(null, null, null, null);

    private static final Duration MIN_LEASE_DURATION = Duration.ofMillis(100);
    private static final Duration MAX_LEASE_DURATION = Duration.ofHours(24);

    /** Checks each value by itself, and the range against the layout where both are stated. */
    public RegistrySettings {
        if (leaseDuration != null
                && (leaseDuration.compareTo(MIN_LEASE_DURATION) < 0
                        || leaseDuration.compareTo(MAX_LEASE_DURATION) > 0)) {
            throw new IllegalArgumentException("must be between 100 ms and 24 h: leaseDuration=" + leaseDuration);
        }
        if (maxSkew != null && (maxSkew.isNegative() || maxSkew.compareTo(MAX_LEASE_DURATION) > 0)) {
            throw new IllegalArgumentException("must be between 0 and 24 h: maxSkew=" + maxSkew);
        }
        requireWholeMillis("leaseDuration", leaseDuration);
        requireWholeMillis("maxSkew", maxSkew);
        if (layout != null && workers != null) {
            checkRange(layout, workers);
        }
    }

    /** The stated layout or the default one. */
    public Layout layoutOrDefault() {
        return layout == null ? Layout.CLASSIC : layout;
    }

    long leaseMillis() {
        return (leaseDuration == null ? DEFAULT_LEASE_DURATION : leaseDuration).toMillis();
    }

    long skewMillis() {
        return (maxSkew == null ? DEFAULT_MAX_SKEW : maxSkew).toMillis();
    }

    WorkerRange rangeOrDefault() {
        Layout ids = layoutOrDefault();
        WorkerRange range =
                workers == null ? new WorkerRange(0, Math.min(ids.maxWorkerId(), Integer.MAX_VALUE - 1)) : workers;
        checkRange(ids, range);
        return range;
    }

    private static void requireWholeMillis(String name, @Nullable Duration value) {
        if (value != null && !value.equals(Duration.ofMillis(value.toMillis()))) {
            throw new IllegalArgumentException("must be whole milliseconds: " + name + "=" + value);
        }
    }

    private static void checkRange(Layout layout, WorkerRange workers) {
        if (workers.last() > layout.maxWorkerId()) {
            throw new IllegalArgumentException("must fit the layout's " + layout.workerBits() + " worker bits (0-"
                    + layout.maxWorkerId() + "): workers=" + workers);
        }
    }
}
