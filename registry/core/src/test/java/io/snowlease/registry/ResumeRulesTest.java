package io.snowlease.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.Layout;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.LeaseRequest;
import io.snowlease.registry.protocol.LeaseRules;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.ResumeDecision;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a journal proves a lease that may be gone on with: D = 60 s, S = 5 s, ticks of 1 ms. */
class ResumeRulesTest {
    private static final long T = Instant.parse("2026-06-01T12:00:00Z").toEpochMilli();
    private static final long D = 60_000;
    private static final long UNTIL = T + 40_000;
    private static final long LAST = T - 20_000;
    private static final long RESERVED = T - 3_000;
    private static final LeaseRequest REQUEST = new LeaseRequest("a", "new", Long.MIN_VALUE);

    private final LeaseRules rules = new LeaseRules(Layout.CLASSIC);
    private final RegistryRecord registry =
            rules.newRegistry(RegistrySettings.UNSTATED, "r", "server", 0, true, 0, T - D);

    private static SlotRecord slot(long epoch, String token, SlotState state, long until, long last) {
        return new SlotRecord(7, epoch, "b", token, state, until - D, until, last, until - D, until - D);
    }

    private static SlotRecord held() {
        return slot(3, "old", SlotState.HELD, UNTIL, LAST);
    }

    private static HeldBound journalled(long reserved, long until) {
        return new HeldBound(7, 3, "old", "r", reserved, until);
    }

    private ResumeDecision resume(@Nullable SlotRecord slot, HeldBound journalled, long now, String... resumeTokens) {
        return rules.resume(registry, slot, journalled, List.of(resumeTokens), REQUEST, now, now);
    }

    private static SlotRecord granted(ResumeDecision decision) {
        return ((ResumeDecision.Grant) decision).next();
    }

    private static ResumeDecision noProof(String reason) {
        return new ResumeDecision.NoProof(reason);
    }

    @Test
    void goesOnAboveWhatWasReservedUnderANewEpochAndToken() {
        assertThat(granted(resume(held(), journalled(RESERVED, UNTIL), T)))
                .isEqualTo(new SlotRecord(7, 4, "a", "new", SlotState.HELD, RESERVED, T + D, RESERVED - 1, T, T));
    }

    @Test
    void neverLowersTheBound() {
        assertThat(rules.resume(
                        registry, held(), journalled(RESERVED, UNTIL), List.of(), REQUEST, T, UNTIL - D - 1_000))
                .matches(decision -> granted(decision).until() == UNTIL);
    }

    @Test
    void theJournalMayBeOlderThanTheLastRenewal() {
        assertThat(granted(resume(held(), journalled(RESERVED, UNTIL - 20_000), T))
                        .floor())
                .isEqualTo(RESERVED);
    }

    @Test
    void aReservedBoundAheadOfTheClockIsNoHindrance() {
        assertThat(granted(resume(held(), journalled(T + 30_000, UNTIL), T)).floor())
                .isEqualTo(T + 30_000);
    }

    @Test
    void theEpochIsNotBelowAQuarantine() {
        RegistryRecord quarantined = rules.raised(registry, T - 10);
        SlotRecord next =
                granted(rules.resume(quarantined, held(), journalled(RESERVED, UNTIL), List.of(), REQUEST, T, T));
        assertThat(next.epoch()).isEqualTo(T - 10);
        assertThat(next.floor()).isEqualTo(RESERVED);
    }

    @Test
    void aResumeWhoseReplyWasLostIsRecognizedByItsToken() {
        SlotRecord resumed = slot(4, "r1", SlotState.HELD, UNTIL, RESERVED - 1);
        assertThat(granted(resume(resumed, journalled(RESERVED, UNTIL), T, "r0", "r1"))
                        .epoch())
                .isEqualTo(5);
        assertThat(resume(resumed, journalled(RESERVED, UNTIL), T, "r0"))
                .isEqualTo(noProof("worker 7 is held by b since epoch 4, the journal is of epoch 3"));
    }

    @Test
    void whatWasTakenReleasedOrEvictedIsNotGoneOnWith() {
        assertThat(resume(slot(4, "other", SlotState.HELD, UNTIL, LAST), journalled(RESERVED, UNTIL), T))
                .isEqualTo(noProof("worker 7 is held by b since epoch 4, the journal is of epoch 3"));
        assertThat(resume(slot(3, "old", SlotState.RELEASED, RESERVED, LAST), journalled(RESERVED, UNTIL), T))
                .isEqualTo(noProof("worker 7 is released by b since epoch 3, the journal is of epoch 3"));
        assertThat(resume(slot(3, "evictor", SlotState.EVICTED, UNTIL, LAST), journalled(RESERVED, UNTIL), T))
                .isEqualTo(noProof("worker 7 is evicted by b since epoch 3, the journal is of epoch 3"));
    }

    @Test
    void onlyBeforeTheJournalsBoundAndTheRecords() {
        assertThat(resume(held(), journalled(RESERVED, T), T))
                .isEqualTo(noProof("the lease of worker 7 ran out at 2026-06-01T12:00:00Z by the coordinator's clock"));
        assertThat(resume(held(), journalled(RESERVED, T + 1), T)).isInstanceOf(ResumeDecision.Grant.class);
        assertThat(resume(held(), journalled(RESERVED, UNTIL), UNTIL)).isInstanceOf(ResumeDecision.NoProof.class);
    }

    @Test
    void anOldCopyOfTheJournalIsNoProof() {
        assertThat(resume(held(), journalled(LAST, UNTIL), T))
                .isEqualTo(noProof("the journal is an old copy: it has reserved timestamps below"
                        + " 2026-06-01T11:59:40Z, and the coordinator knows of one at 2026-06-01T11:59:40Z"));
        assertThat(resume(held(), journalled(LAST + 1, UNTIL), T)).isInstanceOf(ResumeDecision.Grant.class);
    }

    @Test
    void nothingIsLeftBelowTheBound() {
        RegistryRecord shortLease = rules.newRegistry(RegistrySettings.UNSTATED, "r", "server", 0, true, 0, T - D);
        assertThat(rules.resume(
                        shortLease, held(), journalled(UNTIL, UNTIL), List.of(), REQUEST, T - 30_000, T - 30_000))
                .isEqualTo(noProof("no timestamp of worker 7 is left below its bound, 2026-06-01T12:00:40Z"));
    }

    @Test
    void aRegistryOfAnotherIdIsAnother() {
        HeldBound elsewhere = new HeldBound(7, 3, "old", "gone", RESERVED, UNTIL);
        assertThat(resume(held(), elsewhere, T)).isEqualTo(noProof("registry gone was replaced by r"));
    }

    @Test
    void aStoreThatHasForgottenIsToldFromOneThatHasNot() {
        assertThat(resume(null, journalled(RESERVED, UNTIL), T))
                .isEqualTo(new ResumeDecision.Forgotten("the coordinator has no record of worker 7"));
        assertThat(resume(slot(2, "older", SlotState.HELD, UNTIL, LAST), journalled(RESERVED, UNTIL), T))
                .isEqualTo(new ResumeDecision.Forgotten("the coordinator knows epoch 2 until 2026-06-01T12:00:40Z of"
                        + " worker 7, this node holds epoch 3 until 2026-06-01T12:00:40Z"));
        assertThat(resume(slot(3, "old", SlotState.HELD, UNTIL - 1, LAST), journalled(RESERVED, UNTIL), T))
                .isEqualTo(new ResumeDecision.Forgotten("the coordinator knows epoch 3 until"
                        + " 2026-06-01T12:00:39.999Z of worker 7, this node holds epoch 3 until 2026-06-01T12:00:40Z"));
    }

    @Test
    void aBoundThatAReplacedPrimaryMayHavePassedIsNotMoved() {
        RegistryRecord failedOver = rules.raised(registry, UNTIL + D + 10_000);
        assertThat(rules.resume(failedOver, held(), journalled(RESERVED, UNTIL), List.of(), REQUEST, T, T))
                .isEqualTo(noProof("a replaced primary may have given worker 7 away after 2026-06-01T12:00:40Z"));
    }
}
