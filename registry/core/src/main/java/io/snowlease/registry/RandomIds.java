package io.snowlease.registry;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** 128-bit random hex: tokens and registry ids. Thread-safe. */
final class RandomIds {
    private static final SecureRandom SECURE = new SecureRandom();
    private static final int BYTES = 16;

    private RandomIds() {}

    static String next() {
        byte[] bytes = new byte[BYTES];
        SECURE.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** For jitter; shared, as the secure generator is thread-safe and called seldom. */
    static RandomGenerator random() {
        return SECURE;
    }
}
