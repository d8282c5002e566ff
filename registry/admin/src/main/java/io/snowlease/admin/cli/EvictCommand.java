package io.snowlease.admin.cli;

import io.snowlease.admin.view.Instants;
import io.snowlease.admin.view.JsonText;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.SlotStatus;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evict}: takes a worker id from its holder. */
@Command(
        name = "evict",
        description = "Take a worker id from its holder, who moves to another one at its next renewal. No id becomes"
                + " invalid, none is issued twice: the slot is free once its bound and the tolerated skew have passed.")
final class EvictCommand implements Callable<Integer> {
    private static final Set<SlotStatus> HELD = EnumSet.of(SlotStatus.HELD, SlotStatus.DEGRADED, SlotStatus.EXPIRING);
    private static final int DECLINED = 1;

    @Mixin
    final GlobalOptions global = new GlobalOptions();

    @Mixin
    private final CoordinatorOptions coordinator = new CoordinatorOptions();

    @Parameters(paramLabel = "WORKER", description = "The worker id, see 'snowlease leases'")
    private int worker;

    @Mixin
    private final Confirmation confirmation = new Confirmation();

    @Option(names = "--json", description = "One line of JSON, times in ISO-8601")
    private boolean json;

    private final Io io;
    private final Backend backend;

    EvictCommand(Io io, Backend backend) {
        this.io = io;
        this.backend = backend;
    }

    @Override
    public Integer call() throws IOException {
        boolean asks = confirmation.isNeeded(io);
        try (RegistryAdmin admin = backend.openAdmin(coordinator.builder())) {
            Optional<SlotInfo> shown = asks ? held(admin) : Optional.empty();
            if (shown.isPresent() && !confirmation.isGiven(io, question(admin, shown.get()))) {
                io.message("worker " + worker + " was not evicted");
                return DECLINED;
            }
            // What is not held is not asked about: the registry says what it is instead.
            SlotInfo evicted = shown.isPresent() ? admin.evict(shown.get()) : admin.evict(worker);
            long freeAt = freeAt(admin, evicted);
            io.result(json ? json(evicted, freeAt) : text(evicted, freeAt, admin.coordinatorMillis()));
        }
        return 0;
    }

    private Optional<SlotInfo> held(RegistryAdmin admin) {
        return admin.slots().stream()
                .filter(slot -> slot.worker() == worker && HELD.contains(slot.state()))
                .findFirst();
    }

    private String question(RegistryAdmin admin, SlotInfo slot) {
        return "evict worker " + worker + ", held by " + holder(slot)
                + "? It moves to another worker id, its ids stay valid; the slot is free at "
                + when(freeAt(admin, slot), admin.coordinatorMillis()) + ", later if it is renewed before you answer";
    }

    private static long freeAt(RegistryAdmin admin, SlotInfo slot) {
        RegistryRecord registry =
                admin.registry().orElseThrow(() -> new IllegalStateException("the registry vanished meanwhile"));
        return LeaseRules.freeAt(registry, slot.until());
    }

    private static String holder(SlotInfo slot) {
        return slot.node() + " (epoch " + slot.epoch() + ")";
    }

    private static String when(long millis, long now) {
        return Instants.iso(millis) + " (" + Instants.relative(millis, now) + ")";
    }

    private static String text(SlotInfo slot, long freeAt, long now) {
        return "evicted worker " + slot.worker() + ", held by " + holder(slot)
                + ": its ids stay valid; the slot is free at " + when(freeAt, now);
    }

    private String json(SlotInfo slot, long freeAt) {
        return JsonText.of(out -> {
            out.writeStartObject();
            out.writeStringField("namespace", coordinator.namespace);
            out.writeNumberField("worker", slot.worker());
            out.writeStringField("node", slot.node());
            out.writeNumberField("epoch", slot.epoch());
            out.writeStringField("until", Instants.iso(slot.until()));
            out.writeStringField("freeAt", Instants.iso(freeAt));
            out.writeEndObject();
        });
    }
}
