package io.snowlease.generator;

/** Stand-in. */
public final class SnowflakeGenerator {
    private SnowflakeGenerator() {}

    /** Stand-in. */
    public static final class Builder {
        private Builder() {}
    }
}
