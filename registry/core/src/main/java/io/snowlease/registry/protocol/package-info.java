/**
 * The lease protocol: records and pure transitions between them. No I/O, no clock reads, no threads.
 *
 * <p>All instants are ms since 1970 UTC. Bounds ({@code floor}, {@code until}, {@code quarantineUntil}) are exclusive
 * ends and lie on the layout's tick grid. {@code now} is always the coordinator's time, {@code local} the node's own.
 */
package io.snowlease.registry.protocol;
