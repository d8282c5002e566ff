package io.snowlease.registry.protocol;

/**
 * A node asking for a worker id.
 *
 * @param node its name
 * @param token new random token; becomes the proof of ownership if granted
 * @param generatorFloor first timestamp the asking generator can still use (its last one + 1 tick), or {@link
 *     Long#MIN_VALUE} when it has issued none (I7)
 */
public record LeaseRequest(String node, String token, long generatorFloor) {}
