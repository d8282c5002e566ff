package io.snowlease.registry.spi;

import io.snowlease.registry.protocol.RegistryRecord;
import org.jspecify.annotations.Nullable;

/**
 * One look at a coordinator: what a transition is planned on, and re-checked against when it is written.
 *
 * @param record the registry record, or null when there is none
 * @param now coordinator's time in ms since 1970, taken no later than the record was read
 * @param serverIdentity which server answered, and which of its data sets; constant for stores that keep what they
 *     acknowledge
 * @param stamp the store's own version of {@code record}; opaque
 */
public record RegistryView(
        @Nullable RegistryRecord record,
        long now,
        String serverIdentity,
        @Nullable Object stamp) {}
