/**
 * Turns a {@link io.snowlease.generator.WorkerLease} into 64-bit ids that are never issued twice.
 *
 * <p>Uniqueness rests on the lease: two leases of one worker id own disjoint spans of timestamps. Clocks only decide
 * <em>when</em> ids can be issued. What is not promised: two running copies of one process image (a cloned virtual
 * machine, a restored memory snapshot) share a lease without knowing it.
 */
package io.snowlease.generator;
