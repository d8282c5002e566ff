/**
 * A local file that survives the process: restart on the same worker id, start without the coordinator, and notice of a
 * clock that was set back. {@link io.snowlease.generator.journal.Journal} is where to start.
 *
 * <pre>{@code
 * try (Journal journal = Journal.open(folder)) {
 *     JournalReading found = journal.found().forLayout(layout).forRegistry(registryId);
 *     // resume from found.entry() if found.isProof(), else claim; then
 *     WorkerLease lease = journal.record(registryId, layout, token, granted);
 *     try (IdGenerator ids = SnowflakeGenerator.builder(layout).lease(lease).build()) {
 *         long id = ids.nextId();
 *     }
 * }
 * }</pre>
 */
package io.snowlease.generator.journal;
