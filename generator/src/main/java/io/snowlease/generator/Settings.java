package io.snowlease.generator;

/** What a generator was built with, checked. */
record Settings(
        Layout layout,
        ClockPolicy clockPolicy,
        SequenceStart sequenceStart,
        long sequenceSeed,
        long maxWaitMillis,
        Clocks clocks) {}
