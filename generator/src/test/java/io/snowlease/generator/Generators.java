package io.snowlease.generator;

/** What the generator tests start from. */
final class Generators {
    /** Tick of CLASSIC at which every test starts. */
    static final long START_TICK = Layout.CLASSIC.tickOf(VirtualClocks.START_MILLIS);

    private Generators() {}

    static SnowflakeGeneratorBuilder on(VirtualClocks clocks, WorkerLease lease) {
        return SnowflakeGenerator.builder(Layout.CLASSIC).clocks(clocks).lease(lease);
    }

    static long timestampOf(IdGenerator generator, long id) {
        return generator.layout().decode(id).timestampMillis();
    }

    /** Uses up what is left of the tick of the next id. */
    static void useUpTick(SnowflakeGenerator generator) {
        long lastSequence = (1L << generator.layout().sequenceBits()) - 1;
        long sequence;
        do {
            sequence = generator.layout().decode(generator.nextId()).sequence();
        } while (sequence != lastSequence);
    }
}
