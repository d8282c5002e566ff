/**
 * Leases unique worker ids from a coordinator and keeps them, WorkerRegistry first.
 *
 * <p>Not promised: see the README. In short, two running copies of one process image, and a coordinator whose data an
 * operator deletes or restores unannounced.
 */
package io.snowlease.registry;
