package io.snowlease.registry.spi;

import io.snowlease.registry.protocol.SlotRecord;
import org.jspecify.annotations.Nullable;

/**
 * A slot as read.
 *
 * @param worker worker id
 * @param record its record, or null when the worker id was never leased
 * @param stamp the store's own version of the record; opaque
 */
public record StoredSlot(
        int worker, @Nullable SlotRecord record, @Nullable Object stamp) {}
