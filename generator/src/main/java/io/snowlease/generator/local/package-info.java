/**
 * Worker ids without a coordinator, as the field makes them, on a journal that is not optional. Weaker than leases: what
 * two processes share a worker id is up to whoever deploys them. {@link io.snowlease.generator.local.LocalGenerator} is
 * where to start.
 *
 * <pre>{@code
 * try (IdGenerator ids = LocalGenerator.open(Layout.CLASSIC, folder, WorkerIdSource.fixed(7))) {
 *     long id = ids.nextId();
 * }
 * }</pre>
 */
package io.snowlease.generator.local;
