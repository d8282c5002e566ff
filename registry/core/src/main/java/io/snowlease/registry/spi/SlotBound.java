package io.snowlease.registry.spi;

/**
 * One entry of the index by bound: a hint where to look for a free slot; the slot record decides.
 *
 * @param worker worker id
 * @param until its bound
 * @param released whether it was given back
 */
public record SlotBound(int worker, long until, boolean released) {}
