package io.snowlease.generator;

/** Refusals as a generator makes them; their constructors are the generator's own. */
public final class GeneratorRefusals {
    private GeneratorRefusals() {}

    public static IdGenerationException sequenceExhausted(long retryAfterMillis) {
        return new SequenceExhaustedException("the tick has no ids left", retryAfterMillis);
    }

    public static IdGenerationException clockBehind(long behindMillis) {
        return new ClockBehindException("clock is " + behindMillis + " ms behind", behindMillis, behindMillis);
    }

    public static IdGenerationException boundReached() {
        return new BoundReachedException("the bound of worker 3 has passed", -1);
    }
}
