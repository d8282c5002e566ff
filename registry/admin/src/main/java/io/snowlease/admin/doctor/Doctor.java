package io.snowlease.admin.doctor;

import io.snowlease.generator.Clocks;
import io.snowlease.generator.Layout;
import io.snowlease.registry.Examination;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.RegistryException;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.MalformedRecordException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks at a node, its coordinator and its registry, and says what it finds. Changes nothing. */
public final class Doctor {
    private static final String COORDINATOR = "coordinator";

    private final String namespace;
    private final RegistrySettings stated;
    private final Duration callTimeout;
    private final Clocks clocks;

    /**
     * One for a namespace.
     *
     * @param stated what this node states of the registry
     * @param callTimeout longest wait of one call to the coordinator
     */
    public Doctor(String namespace, RegistrySettings stated, Duration callTimeout, Clocks clocks) {
        this.namespace = namespace;
        this.stated = stated;
        this.callTimeout = callTimeout;
        this.clocks = clocks;
    }

    /**
     * All findings, in the order of what depends on what.
     *
     * @param opening opens the coordinator
     * @param journal a journal's folder, or null for none
     * @throws IllegalArgumentException if the coordinator's URI can't be used
     */
    public List<Finding> findings(Supplier<RegistryAdmin> opening, @Nullable Path journal) {
        List<Finding> findings = new ArrayList<>();
        Examination seen = null;
        try (RegistryAdmin admin = opening.get()) {
            seen = examined(admin, findings);
            findings.addAll(admin.storeFindings());
        } catch (RegistryException e) {
            findings.add(failed(e));
        }
        RegistryRecord registry = seen == null ? null : seen.registry();
        if (seen != null) {
            findings.addAll(RegistryChecks.of(seen, namespace, stated));
            findings.addAll(SettingsChecks.of(registry, stated, callTimeout));
            findings.add(ClockCheck.of(seen.clock(), skewMillis(registry)));
        }
        Examination.Clock clock = seen == null ? null : seen.clock();
        long now = clock == null ? clocks.wallMillis() : clock.coordinatorMillis();
        Layout layout = registry == null ? stated.layoutOrDefault() : registry.parsedLayout();
        findings.add(LayoutCheck.of(layout, now));
        if (seen != null && registry != null) {
            findings.addAll(SlotChecks.of(seen.slots(), registry, now));
        }
        if (journal != null) {
            JournalFacts facts = JournalFacts.of(journal);
            findings.addAll(
                    JournalChecks.of(facts, namespace, registry, layout, clocks.wallMillis(), skewMillis(registry)));
        }
        return findings;
    }

    private static @Nullable Examination examined(RegistryAdmin admin, List<Finding> findings) {
        try {
            Examination seen = admin.examine();
            findings.add(Finding.ok(
                    COORDINATOR, seen.servers() + " answers, at best within " + seen.roundTripMillis() + " ms"));
            return seen;
        } catch (RegistryException e) {
            findings.add(failed(e));
        } catch (MalformedRecordException e) {
            findings.add(Finding.failure(
                    "records",
                    textOf(e),
                    "look at that place: it was written by something else, or damaged; before nodes connect to a"
                            + " restored backup, say 'quarantine'"));
        }
        return null;
    }

    private long skewMillis(@Nullable RegistryRecord registry) {
        if (registry != null) {
            return registry.skewMillis();
        }
        Duration skew = stated.maxSkew();
        return (skew == null ? RegistrySettings.DEFAULT_MAX_SKEW : skew).toMillis();
    }

    /** Its message says what to do. */
    private static Finding failed(RegistryException e) {
        return Finding.failure(COORDINATOR, textOf(e).replaceFirst("^coordinator ", ""), "");
    }

    private static String textOf(RuntimeException e) {
        return String.valueOf(e.getMessage());
    }
}
