/** 64-bit ids from a leased worker id, made in the caller's process. Depends on nothing but the JDK. */
module io.snowlease.generator {
    requires static transitive org.jspecify;

    exports io.snowlease.generator;
    exports io.snowlease.generator.journal;
    exports io.snowlease.generator.local;
}
