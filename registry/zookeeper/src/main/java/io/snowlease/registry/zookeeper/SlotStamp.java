package io.snowlease.registry.zookeeper;

/**
 * Which write of a slot was read. The version alone would not do: a registry made anew has slots in the same places,
 * with the same versions.
 *
 * @param version the node's version
 * @param registryId the registry that it was read in
 */
record SlotStamp(int version, String registryId) {}
