package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.registry.LeaseJournal.Proof;
import io.snowlease.registry.RegistryAccess.Opened;
import io.snowlease.registry.RegistryClient.Resumption;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.LeaseRequest;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.StoreAccessException;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a generator's lease comes from: the journal's proof, else a claim; while the coordinator gives no answer, the
 * journal alone, as far as the lease in it lasts. Call under the keeper's lock.
 */
final class LeaseStart {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseStart.class);

    private final RegistryClient client;
    private final LeaseJournal journal;
    private final String node;
    private final Clocks clocks;
    private final Supplier<String> randomIds;
    /** One for all tries of one resume, so that whichever of them was written is recognized. */
    private @Nullable String resumeToken;

    private @Nullable StoreUnavailableException foundAway;

    LeaseStart(RegistryClient client, LeaseJournal journal, String node, Clocks clocks, Supplier<String> randomIds) {
        this.client = client;
        this.journal = journal;
        this.node = node;
        this.clocks = clocks;
        this.randomIds = randomIds;
    }

    LeaseJournal journal() {
        return journal;
    }

    /**
     * The first lease of a process.
     *
     * @param held leases of this process
     * @throws StoreUnavailableException if there was no answer, and the journal holds no lease that lasts
     */
    HeldBound first(Collection<HeldBound> held) {
        journal.requireUnused();
        StoreUnavailableException away = foundAway;
        foundAway = null;
        if (away != null && canStartAlone()) {
            return alone(away);
        }
        try {
            return resumeOrClaim(journal.floorMillis(), held);
        } catch (StoreUnavailableException e) {
            if (!isAway(e) || !canStartAlone()) {
                throw e;
            }
            return alone(e);
        }
    }

    /** Neither an interrupt nor a refusal is an absence. */
    static boolean isAway(StoreUnavailableException e) {
        return !(e instanceof StoreAccessException) && !Thread.currentThread().isInterrupted();
    }

    private HeldBound alone(StoreUnavailableException why) {
        HeldBound left = Objects.requireNonNull(journal.proof()).held();
        LOG.warn(
                "started on worker {} by the journal alone, until {}: {}",
                left.worker(),
                Instant.ofEpochMilli(left.until()),
                why.getMessage());
        return left;
    }

    /** Whether the journal alone would do for now. */
    boolean canStartAlone() {
        Proof proof = journal.proof();
        RegistryRecord seen = client.registry();
        return proof != null
                && lasts(proof)
                && (seen == null || seen.registryId().equals(proof.held().registryId()));
    }

    /** The lease that the journal proves, as long as it lasts: a registry that has lost it is to be told. */
    List<HeldBound> provenBounds() {
        Proof proof = journal.proof();
        return proof != null && lasts(proof) ? List.of(proof.held()) : List.of();
    }

    /** The coordinator gave no answer a moment ago: the next start need not wait for it again. */
    void foundAway(StoreUnavailableException why) {
        foundAway = why;
    }

    private boolean lasts(Proof proof) {
        HeldBound held = proof.held();
        return clocks.wallMillis() < held.until() && held.floor() < held.until();
    }

    /**
     * Goes on with the lease that the journal proves, or claims one.
     *
     * @param generatorFloor first timestamp the generator can use
     * @param held leases of this process
     */
    HeldBound resumeOrClaim(long generatorFloor, Collection<HeldBound> held) {
        journal.ensureDiscarded();
        HeldBound resumed = resumed(generatorFloor);
        return resumed == null ? client.claim(node, generatorFloor, held) : resumed;
    }

    private @Nullable HeldBound resumed(long generatorFloor) {
        Proof proof = journal.proof();
        if (proof == null) {
            return null;
        }
        // The journal's bound stands still from the next step on: not for a coordinator that is away.
        Opened unusedOpened = client.open(provenBounds());
        String token = resumeToken == null ? randomIds.get() : resumeToken;
        resumeToken = token;
        // Also the proof that the journal can be written again, before anything is asked of the coordinator.
        Proof recorded = journal.beginResume(proof, token);
        String why;
        if (clocks.wallMillis() >= recorded.held().until()) {
            why = "the lease of worker " + recorded.held().worker() + " ran out at "
                    + Instant.ofEpochMilli(recorded.held().until());
        } else {
            try {
                Resumption resumption = client.resume(
                        recorded.held(), recorded.resumeTokens(), new LeaseRequest(node, token, generatorFloor));
                if (resumption instanceof Resumption.Resumed done) {
                    LOG.info(
                            "worker {} goes on by the journal's proof, from {}",
                            done.held().worker(),
                            Instant.ofEpochMilli(done.held().floor()));
                    resumeToken = null;
                    return done.held();
                }
                why = ((Resumption.NoProof) resumption).reason();
            } catch (MalformedRecordException e) {
                why = String.valueOf(e.getMessage());
            }
        }
        resumeToken = null;
        journal.discardProof(why);
        return null;
    }
}
