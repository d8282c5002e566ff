package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.snowlease.generator.Layout;
import io.snowlease.registry.protocol.ClaimDecision;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.LeaseRequest;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.RenewDecision;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** D = 60 s, S = 5 s, ticks of 1 ms unless a test says otherwise. */
class LeaseRulesTest {
    private static final long T = Instant.parse("2026-06-01T12:00:00Z").toEpochMilli();
    private static final long D = 60_000;
    private static final long S = 5_000;
    private static final LeaseRequest REQUEST = new LeaseRequest("a", "new", Long.MIN_VALUE);

    private final LeaseRules rules = new LeaseRules(Layout.CLASSIC);
    private final RegistryRecord registry = registry(true);

    private RegistryRecord registry(boolean neverUsed) {
        return rules.newRegistry(RegistrySettings.UNSTATED, "r", "server", 0, neverUsed, 0, T);
    }

    private static SlotRecord slot(SlotState state, long until) {
        return new SlotRecord(7, 3, "b", "old", state, until - D, until, until - D, until - D, until - D);
    }

    private static HeldBound held(long until) {
        return new HeldBound(7, 3, "old", "r", until - D, until);
    }

    private SlotRecord granted(@Nullable SlotRecord previous, long now, long local) {
        ClaimDecision decision = rules.claim(registry, 7, previous, REQUEST, now, local);
        return ((ClaimDecision.Grant) decision).next();
    }

    @Test
    void aSlotNeverUsedIsGrantedFromTheEpochOn() {
        assertThat(granted(null, T, T))
                .isEqualTo(new SlotRecord(
                        7,
                        1,
                        "a",
                        "new",
                        SlotState.HELD,
                        Layout.CLASSIC.epochMillis() + 1,
                        T + D,
                        Layout.CLASSIC.epochMillis(),
                        T,
                        T));
    }

    @Test
    void aHeldSlotIsFreeOnceTheCoordinatorsTimeHasPassedItsBoundByS() {
        SlotRecord held = slot(SlotState.HELD, T);
        assertThat(rules.claim(registry, 7, held, REQUEST, T + S - 1, T + S)).isEqualTo(new ClaimDecision.Held(T + S));
        assertThat(granted(held, T + S, T + S)).matches(next -> next.floor() == T && next.epoch() == 4);
    }

    @Test
    void anEvictedSlotIsFreeNoSooner() {
        assertThat(rules.claim(registry, 7, slot(SlotState.EVICTED, T), REQUEST, T + S - 1, T))
                .isEqualTo(new ClaimDecision.Held(T + S));
    }

    @Test
    void aReleasedSlotIsFreeAtOnceAndStartsAtItsBound() {
        SlotRecord next = granted(slot(SlotState.RELEASED, T + 10), T, T);
        assertThat(next.floor()).isEqualTo(T + 10);
        assertThat(next.until()).isEqualTo(T + 10 + D);
    }

    @Test
    void aFloorTooFarAheadIsNotGranted() {
        assertThat(rules.claim(registry, 7, slot(SlotState.RELEASED, T + S + 1), REQUEST, T, T))
                .isEqualTo(new ClaimDecision.TooEarly(T + S + 1, T + 1));
    }

    @Test
    void aNewLeaseStartsAboveTheQuarantineTheFloorAndTheGeneratorsPast() {
        RegistryRecord quarantined = registry(false);
        assertThat(quarantined.quarantineUntil()).isEqualTo(T + D + 2 * S);
        long later = quarantined.quarantineUntil();
        ClaimDecision decision = rules.claim(quarantined, 7, null, REQUEST, later, later);
        assertThat(decision)
                .asInstanceOf(type(ClaimDecision.Grant.class))
                .matches(grant -> grant.next().floor() == later && grant.next().epoch() == later);
        RegistryRecord floored = rules.newRegistry(RegistrySettings.UNSTATED, "r", "server", 0, true, T + 3, T);
        assertThat(rules.claim(floored, 7, null, REQUEST, T, T))
                .asInstanceOf(type(ClaimDecision.Grant.class))
                .matches(grant -> grant.next().floor() == T + 3);
        LeaseRequest withPast = new LeaseRequest("a", "new", T + 4);
        assertThat(rules.claim(floored, 7, null, withPast, T, T))
                .asInstanceOf(type(ClaimDecision.Grant.class))
                .matches(grant -> grant.next().floor() == T + 4);
    }

    @Test
    void noBoundLiesBeyondNowPlusDPlus2S() {
        SlotRecord next = granted(slot(SlotState.RELEASED, T + S), T, T + S);
        assertThat(next.until()).isLessThanOrEqualTo(T + D + 2 * S);
    }

    @Test
    void aRenewalMovesTheBoundAheadOfTheNodesOwnTime() {
        SlotRecord held = slot(SlotState.HELD, T + 40_000);
        assertThat(rules.renew(registry, held, held(T + 40_000), T - 1, T, T + 2))
                .isEqualTo(new RenewDecision.Extend(new SlotRecord(
                        7, 3, "b", "old", SlotState.HELD, held.floor(), T + 2 + D, T - 1, held.claimedAt(), T)));
    }

    @Test
    void aRenewalNeverMovesTheBoundBack() {
        SlotRecord held = slot(SlotState.HELD, T + D);
        assertThat(rules.renew(registry, held, held(T + D), T, T, T - 30_000))
                .asInstanceOf(type(RenewDecision.Extend.class))
                .matches(extend -> extend.next().until() == T + D);
    }

    @Test
    void aRenewalAfterTheKnownBoundIsFenced() {
        assertThat(rules.renew(registry, slot(SlotState.HELD, T + D), held(T), T - 1, T + 3, T + 3))
                .isEqualTo(new RenewDecision.Fenced(
                        "the lease ran out at 2026-06-01T12:00:00Z, 3 ms ago by the coordinator's clock"));
    }

    @Test
    void aSlotTakenByAnotherFences() {
        SlotRecord taken = new SlotRecord(7, 4, "c", "other", SlotState.HELD, T, T + D, T, T, T);
        assertThat(rules.renew(registry, taken, held(T + 1000), T, T, T))
                .isEqualTo(new RenewDecision.Fenced("worker 7 was taken by c (epoch 4)"));
    }

    @Test
    void anEvictedLeaseIsFenced() {
        SlotRecord evicted =
                new SlotRecord(7, 3, "b", "operator", SlotState.EVICTED, T - D, T + 1000, T - D, T - D, T - D);
        assertThat(rules.renew(registry, evicted, held(T + 1000), T, T, T))
                .isEqualTo(new RenewDecision.Fenced("evicted by an operator"));
    }

    @Test
    void anEvictionTakesTheTokenAndLeavesBoundAndEpochWhereTheyAre() {
        SlotRecord held = slot(SlotState.HELD, T + D);
        SlotRecord evicted = rules.evict(registry, held, "operator", T);
        assertThat(evicted)
                .isEqualTo(new SlotRecord(
                        7,
                        3,
                        "b",
                        "operator",
                        SlotState.EVICTED,
                        held.floor(),
                        T + D,
                        held.last(),
                        held.claimedAt(),
                        held.renewedAt()));
        assertThat(rules.renew(registry, evicted, held(T + D), T, T, T))
                .isEqualTo(new RenewDecision.Fenced("evicted by an operator"));
        assertThat(rules.release(evicted, held(T + D), T, T)).isNull();
    }

    @Test
    void onlyAHeldSlotIsEvicted() {
        assertThat(rules.evict(registry, null, "operator", T)).isNull();
        assertThat(rules.evict(registry, slot(SlotState.RELEASED, T + D), "operator", T))
                .isNull();
        assertThat(rules.evict(registry, slot(SlotState.EVICTED, T + D), "operator", T))
                .isNull();
        assertThat(rules.evict(registry, slot(SlotState.HELD, T), "operator", T + S))
                .isNull();
        assertThat(rules.evict(registry, slot(SlotState.HELD, T), "operator", T + S - 1))
                .isNotNull();
    }

    @Test
    void aStoreThatKnowsLessThanTheHolderHasForgotten() {
        assertThat(rules.renew(registry, null, held(T + 1000), T, T, T))
                .isEqualTo(new RenewDecision.Forgotten("the coordinator has no record of worker 7", true));
        assertThat(rules.renew(registry, slot(SlotState.HELD, T + 999), held(T + 1000), T, T, T))
                .isInstanceOf(RenewDecision.Forgotten.class);
        HeldBound ofAnother = new HeldBound(7, 3, "old", "r0", T, T + 1000);
        assertThat(rules.renew(registry, slot(SlotState.HELD, T + 1000), ofAnother, T, T, T))
                .isEqualTo(new RenewDecision.Forgotten("registry r0 was replaced by r", false));
    }

    @Test
    void aBoundThatAReplacedPrimaryMayHaveGivenAwayIsNotMoved() {
        RegistryRecord lagging = rules.newRegistry(RegistrySettings.UNSTATED, "r", "server", 30_000, true, 0, T);
        RegistryRecord failedOver = rules.quarantined(lagging, "other server", T, 0);
        assertThat(failedOver.quarantineUntil()).isEqualTo(T + D + 2 * S + 30_000);
        assertThat(rules.renew(failedOver, slot(SlotState.HELD, T + 30_000), held(T + 30_000), T, T, T))
                .isEqualTo(new RenewDecision.Forgotten(
                        "a replaced primary may have given worker 7 away after 2026-06-01T12:00:30Z", false));
        assertThat(rules.renew(failedOver, slot(SlotState.HELD, T + 30_001), held(T + 30_001), T, T, T))
                .isInstanceOf(RenewDecision.Extend.class);
    }

    @Test
    void aReleaseFreesTheSlotJustAboveTheLastTimestamp() {
        SlotRecord released = rules.release(slot(SlotState.HELD, T + D), held(T + D), T + 5, T + 6);
        assertThat(released).isNotNull().matches(slot -> slot.until() == T + 6 && slot.last() == T + 5);
    }

    @Test
    void aReleaseOfAnUnusedLeaseDoesNotFallBelowItsFloor() {
        SlotRecord held = slot(SlotState.HELD, T + D);
        SlotRecord released = rules.release(held, held(T + D), held.floor() - 100_000, T);
        assertThat(released).isNotNull().matches(slot -> slot.until() == held.floor());
    }

    @Test
    void aReleaseOfALeaseThatIsNoLongerOursChangesNothing() {
        assertThat(rules.release(slot(SlotState.EVICTED, T + D), held(T + D), T, T))
                .isNull();
        assertThat(rules.release(null, held(T + D), T, T)).isNull();
    }

    @Test
    void boundsLieOnTheLayoutsOwnTickGrid() {
        LeaseRules seconds = new LeaseRules(Layout.parse("32/10/20,tick=1s,epoch=2025-01-01T00:00:00.657Z"));
        RegistryRecord made = seconds.newRegistry(RegistrySettings.UNSTATED, "r", "server", 0, false, T, T);
        assertThat(made.quarantineUntil() % 1000).isEqualTo(657);
        assertThat(made.floor()).isEqualTo(T + 657);
        ClaimDecision decision = seconds.claim(made, 0, null, REQUEST, T + 200_000, T + 200_000);
        assertThat(((ClaimDecision.Grant) decision).next().until()).isEqualTo(T + 200_000 + D + 657);
    }

    @Test
    void aLayoutThatCanNotHoldThePresentIsRefusedBeforeItIsStoredForGood() {
        Layout tiny = Layout.parse("1/1/1");
        assertThatThrownBy(() -> new LeaseRules(tiny)
                        .newRegistry(new RegistrySettings(tiny, null, null, null), "r", "server", 0, true, 0, T))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must have begun and not have ended: layout=1/1/1,tick=1ms,epoch=2025-01-01T00:00:00Z lasts"
                        + " from 2025-01-01T00:00:00Z to 2025-01-01T00:00:00.001Z, the coordinator's time is"
                        + " 2026-06-01T12:00:00Z");
        Layout future = Layout.parse("41/10/12,epoch=2030-01-01T00:00:00Z");
        assertThatThrownBy(() -> new LeaseRules(future)
                        .newRegistry(new RegistrySettings(future, null, null, null), "r", "server", 0, true, 0, T))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lasts from 2030-01-01T00:00:00Z");
    }

    @Test
    void aQuarantineNeverFalls() {
        RegistryRecord raised = rules.quarantined(registry, "server", T, T + 10 * D);
        assertThat(raised.quarantineUntil()).isEqualTo(T + 10 * D);
        assertThat(rules.quarantined(raised, "server", T, 0).quarantineUntil()).isEqualTo(T + 10 * D);
    }
}
