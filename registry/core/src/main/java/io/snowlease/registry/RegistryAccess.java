package io.snowlease.registry;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.LeaseStore;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and verifies the registry record before anything is planned on it: makes it when there is none, sets a
 * quarantine when the coordinator may have lost data, refuses a node whose settings or clock don't fit.
 *
 * <p>Confined to one thread at a time by its callers.
 */
final class RegistryAccess {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryAccess.class);

    /** Races with other nodes that open the same new or changed registry end after a few rounds. */
    private static final int MAX_ROUNDS = 16;

    private final LeaseStore store;
    private final Clocks clocks;
    private final Supplier<String> randomIds;
    private final Function<Layout, LeaseRules> rulesOf;
    private RegistrySettings stated;
    private volatile @Nullable RegistryRecord known;
    private boolean warnedBehind;
    private boolean wasUsed;

    RegistryAccess(
            LeaseStore store,
            RegistrySettings stated,
            Clocks clocks,
            Supplier<String> randomIds,
            Function<Layout, LeaseRules> rulesOf) {
        this.store = store;
        this.stated = stated;
        this.clocks = clocks;
        this.randomIds = randomIds;
        this.rulesOf = rulesOf;
    }

    /** Ids were issued in this namespace, whatever the store says: a registry that is not there was lost. */
    void namespaceWasUsed() {
        wasUsed = true;
    }

    /**
     * A registry that may be planned on.
     *
     * @param look what was read, and when
     * @param registry its record, verified
     * @param rules the rules on its layout
     */
    record Opened(Look look, RegistryRecord registry, LeaseRules rules) {
        RegistryView view() {
            return look.view();
        }

        long local() {
            return look.local();
        }

        long now() {
            return look.view().now();
        }
    }

    /**
     * Reads and verifies.
     *
     * @param held leases of this process: a registry that was lost and made anew is told of their bounds
     * @throws RegistryMismatchException if this node's settings are others
     * @throws ClockSkewException if this node's clock is ahead by more than S, or a quarantine has to be written and it
     *     is off by more than S either way
     */
    Opened open(Collection<HeldBound> held) {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Look look = Look.at(store, clocks);
            RegistryView view = look.view();
            RegistryRecord registry = view.record();
            if (registry == null) {
                create(look);
                continue;
            }
            LeaseRules rules = rulesOf.apply(registry.parsedLayout());
            long atLeast = lostBound(registry, rules, held);
            if (registry.quarantineUntil() < atLeast) {
                // Even if the registry was made anew in a way that this node can't use: its bounds still stand.
                boolean unusedSet = replace(view, rules.raised(registry, atLeast));
                continue;
            }
            checkSettings(registry);
            if (rules.isOtherServer(registry, view.serverIdentity())) {
                boolean unusedSet = quarantine(look, registry, rules, atLeast);
                continue;
            }
            if (rules.isAhead(look.local(), view.now(), registry.skewMillis())) {
                throw new ClockSkewException(look.local(), view.now(), registry.skewMillis());
            }
            warnIfBehind(look, registry.skewMillis());
            adopt(registry);
            return new Opened(look, registry, rules);
        }
        throw new StoreUnavailableException(
                "the registry record on " + store.servers() + " changed " + MAX_ROUNDS + " times while it was read",
                null);
    }

    /** The record as last verified, or null before the first time. */
    @Nullable
    RegistryRecord lastOpened() {
        return known;
    }

    /**
     * The store has forgotten the lease {@code held}, and maybe others that were granted until just now: sets a
     * quarantine from now on.
     *
     * @throws StoreUnavailableException if another node changed the registry meanwhile: look again
     */
    void quarantineForgotten(Opened opened, HeldBound held) {
        RegistryRecord registry = opened.registry();
        long atLeast = opened.rules().quarantineFor(held, registry.skewMillis());
        if (!quarantine(opened.look(), registry, opened.rules(), atLeast)) {
            throw new StoreUnavailableException(
                    "the registry record on " + store.servers() + " changed while a quarantine was set", null);
        }
    }

    private void create(Look look) {
        RegistryView view = look.view();
        // A registry that this process has known is lost, not new: it is made as it was, and never believed unused.
        RegistrySettings settings = known == null ? stated : settingsOf(known);
        LeaseRules rules = rulesOf.apply(settings.layoutOrDefault());
        RegistryRecord made = rules.newRegistry(
                settings,
                randomIds.get(),
                view.serverIdentity(),
                store.lagMillis(),
                known == null && !wasUsed && store.isNeverUsed(),
                known == null ? 0 : known.floor(),
                view.now());
        look.requireAgreement(rules, made.skewMillis());
        if (store.create(made)) {
            tellMade(made);
        }
    }

    private void tellMade(RegistryRecord made) {
        if (LeaseRules.isShort(made)) {
            LOG.warn(
                    "registry {} was made with D = {} ms, no longer than S = {} ms: the leases of a node whose clock is"
                            + " behind may have ended when they are granted",
                    made.registryId(),
                    made.leaseMillis(),
                    made.skewMillis());
        }
        if (made.quarantineUntil() == 0) {
            LOG.info("made registry {} on {}, which was never used", made.registryId(), store.servers());
        } else {
            LOG.warn(
                    "made registry {} on {}; no lease starts before {}, as a coordinator that has lost its data looks"
                            + " just like a new one",
                    made.registryId(),
                    store.servers(),
                    Instant.ofEpochMilli(made.quarantineUntil()));
        }
    }

    /** Whether it was set; if another node was faster, the next look finds what it wrote. */
    private boolean quarantine(Look look, RegistryRecord registry, LeaseRules rules, long atLeast) {
        RegistryView view = look.view();
        look.requireAgreement(rules, registry.skewMillis());
        return replace(view, rules.quarantined(registry, view.serverIdentity(), view.now(), atLeast));
    }

    private boolean replace(RegistryView view, RegistryRecord quarantined) {
        boolean set = store.replace(view, quarantined);
        if (set) {
            LOG.warn(
                    "{} may have lost leases it had granted: no new lease of registry {} starts before {}",
                    store.servers(),
                    quarantined.registryId(),
                    Instant.ofEpochMilli(quarantined.quarantineUntil()));
        }
        return set;
    }

    private static long lostBound(RegistryRecord registry, LeaseRules rules, Collection<HeldBound> held) {
        long atLeast = Long.MIN_VALUE;
        for (HeldBound bound : held) {
            if (!bound.registryId().equals(registry.registryId())) {
                atLeast = Math.max(atLeast, rules.quarantineFor(bound, registry.skewMillis()));
            }
        }
        return atLeast;
    }

    private void warnIfBehind(Look look, long maxSkewMillis) {
        boolean behind = look.skewMillis() < -maxSkewMillis;
        if (behind && !warnedBehind) {
            LOG.warn(
                    "this node's clock ({}) is {} ms behind the coordinator's: its leases are that much shorter; correct"
                            + " the clock (NTP) on whichever is wrong",
                    Instant.ofEpochMilli(look.after()),
                    -look.skewMillis());
        }
        warnedBehind = behind;
    }

    private void adopt(RegistryRecord registry) {
        if (known == null) {
            stated = new RegistrySettings(
                    registry.parsedLayout(), stated.leaseDuration(), stated.maxSkew(), stated.workers());
        }
        known = registry;
    }

    private void checkSettings(RegistryRecord registry) {
        check("layout", registry.layout(), stated.layout());
        check("leaseDuration", Duration.ofMillis(registry.leaseMillis()), stated.leaseDuration());
        check("maxSkew", Duration.ofMillis(registry.skewMillis()), stated.maxSkew());
        check("workers", registry.range(), stated.workers());
    }

    private static void check(String field, Object stored, @Nullable Object wanted) {
        if (wanted != null && !Objects.equals(stored.toString(), wanted.toString())) {
            throw new RegistryMismatchException(field, stored, wanted);
        }
    }

    private static RegistrySettings settingsOf(RegistryRecord registry) {
        return new RegistrySettings(
                registry.parsedLayout(),
                Duration.ofMillis(registry.leaseMillis()),
                Duration.ofMillis(registry.skewMillis()),
                new WorkerRange(registry.firstWorker(), registry.lastWorker()));
    }
}
