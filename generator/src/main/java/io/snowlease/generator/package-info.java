/**
 * Turns a {@link io.snowlease.generator.WorkerLease} into 64-bit ids that are never issued twice.
 *
 * <pre>{@code
 * try (IdGenerator ids = SnowflakeGenerator.builder(Layout.CLASSIC).lease(lease).build()) {
 *     long id = ids.nextId();
 * }
 * }</pre>
 *
 * <p>Uniqueness rests on the lease: two leases of one worker id own disjoint spans of timestamps. Clocks only decide
 * <em>when</em> ids can be issued. What is not promised: two running copies of one process image (a cloned virtual
 * machine, a restored memory snapshot) share a lease without knowing it.
 *
 * <p>{@link io.snowlease.generator.Layout} says how ids are laid out, {@link io.snowlease.generator.IdFormat} how they
 * are written, {@link io.snowlease.generator.ClockPolicy} what happens while the clock is behind, and {@link
 * io.snowlease.generator.IdGenerationException} why there is no id.
 */
package io.snowlease.generator;
