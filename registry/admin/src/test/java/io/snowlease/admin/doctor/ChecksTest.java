package io.snowlease.admin.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.Layout;
import io.snowlease.registry.Examination;
import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.SlotStatus;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of facts about the coordinator and the registry. */
class ChecksTest {
    private static final long NOW = Instant.parse("2026-12-01T00:00:00Z").toEpochMilli();
    private static final Duration CALL = Duration.ofSeconds(5);

    private static RegistryRecord registry(long lease, long skew, long quarantineUntil, long floor) {
        return new RegistryRecord(
                "r1", Layout.CLASSIC.spec(), lease, skew, 0, 0, 9, NOW - 1_000, "s", quarantineUntil, floor);
    }

    private static RegistryRecord registry() {
        return registry(60_000, 5_000, 0, 0);
    }

    private static Examination seen(@Nullable RegistryRecord registry, boolean otherServer, boolean neverUsed) {
        return new Examination(
                "zk1:2181", 2, new Examination.Clock(NOW, 0, 1), registry, otherServer, neverUsed, List.of());
    }

    private static List<Finding> ofRegistry(Examination seen) {
        return RegistryChecks.of(seen, "orders", RegistrySettings.UNSTATED);
    }

    // Registry and quarantine

    @Test
    void showsARegistryThatGrants() {
        assertThat(ofRegistry(seen(registry(), false, false)))
                .containsExactly(
                        Finding.ok(
                                "registry",
                                "r1 of namespace 'orders', made 2026-11-30T23:59:59.000Z: layout"
                                        + " 41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z, D 60 s, S 5 s, workers 0-9"),
                        Finding.ok("quarantine", "none runs: leases are granted"));
    }

    @Test
    void saysUntilWhenAQuarantineOrAFloorHoldsNewLeasesBack() {
        assertThat(ofRegistry(seen(registry(60_000, 5_000, NOW + 65_000, 0), false, false)))
                .last()
                .isEqualTo(Finding.warning(
                        "quarantine",
                        "it runs: no new lease starts before 2026-12-01T00:01:00.000Z (in 60 s); present holders go on",
                        "wait; it can't be shortened"));
        assertThat(ofRegistry(seen(registry(60_000, 5_000, 0, NOW + 65_000), false, false)))
                .last()
                .isEqualTo(Finding.warning(
                        "quarantine",
                        "the floor of 'init --above' is ahead: no new lease starts before 2026-12-01T00:01:00.000Z (in 60"
                                + " s); present holders go on",
                        "wait; it can't be shortened"));
        // A floor that is ahead by no more than S can be granted.
        assertThat(ofRegistry(seen(registry(60_000, 5_000, NOW + 5_000, 0), false, false)))
                .last()
                .isEqualTo(Finding.ok("quarantine", "none runs: leases are granted"));
    }

    @Test
    void saysThatTheNextNodeWillSetAQuarantine() {
        assertThat(ofRegistry(seen(registry(), true, false)))
                .last()
                .isEqualTo(Finding.warning(
                        "quarantine",
                        "another server answers than the one that the registry's writes were acknowledged by: the next"
                                + " node that connects sets a quarantine of 70 s",
                        "if that was no failover, find out whether data were lost"));
    }

    @Test
    void saysWhatHappensWhereThereIsNoRegistry() {
        assertThat(ofRegistry(seen(null, false, false)))
                .containsExactly(Finding.warning(
                        "registry",
                        "none of namespace 'orders': the first node makes it, usable after a quarantine of 70 s",
                        "say 'init --never-used' if no id was ever issued there; if there should be one, check"
                                + " --coordinator and --namespace, and whether the coordinator has lost its data"));
        assertThat(ofRegistry(seen(null, false, true)))
                .containsExactly(Finding.ok(
                        "registry",
                        "none of namespace 'orders': the first node makes it, usable at once, as nothing was ever stored"
                                + " here"));
    }

    // Settings

    @Test
    void comparesWhatIsStatedWithTheRegistrys() {
        RegistrySettings right =
                new RegistrySettings(Layout.CLASSIC, Duration.ofMinutes(1), null, new WorkerRange(0, 9));
        RegistrySettings wrong = new RegistrySettings(null, Duration.ofSeconds(3), Duration.ofSeconds(1), null);

        assertThat(SettingsChecks.of(registry(), RegistrySettings.UNSTATED, CALL))
                .containsExactly(
                        Finding.ok("settings", "none is stated, the registry's are adopted"),
                        Finding.ok("lease-duration", "D (60 s) is longer than S (5 s) and three calls"));
        assertThat(SettingsChecks.of(registry(), right, CALL))
                .first()
                .isEqualTo(Finding.ok(
                        "settings", "those stated are the registry's: --layout, --lease-duration, --workers"));
        assertThat(SettingsChecks.of(registry(), wrong, CALL))
                .first()
                .isEqualTo(Finding.failure(
                        "settings",
                        "must be the registry's: --lease-duration=PT3S, the registry has PT1M; --max-skew=PT1S, the"
                                + " registry has PT5S",
                        "leave them out to adopt the registry's, or use another namespace"));
    }

    @Test
    void warnsOfLeasesThatAreTooShort() {
        assertThat(SettingsChecks.of(registry(5_000, 5_000, 0, 0), RegistrySettings.UNSTATED, CALL))
                .last()
                .isEqualTo(Finding.warning(
                        "lease-duration",
                        "D (5 s) is no longer than S (5 s): the leases of a node whose clock is behind may have ended"
                                + " when they are granted",
                        "state a longer --lease-duration or a shorter --max-skew in another namespace: here it is"
                                + " fixed"));
        assertThat(SettingsChecks.of(null, new RegistrySettings(null, Duration.ofMillis(14_999), null, null), CALL))
                .containsExactly(Finding.warning(
                        "lease-duration",
                        "D (14 s) is shorter than three calls to the coordinator may take (5 s each): one slow answer"
                                + " can stop the ids",
                        "state a longer --lease-duration when the registry is made"));
        assertThat(SettingsChecks.of(registry(15_000, 5_000, 0, 0), RegistrySettings.UNSTATED, CALL))
                .last()
                .extracting(Finding::level)
                .isEqualTo(Finding.Level.OK);
    }

    // Clock

    private static Finding clock(long least, long most) {
        return ClockCheck.of(new Examination.Clock(NOW, least, most), 5_000);
    }

    @Test
    void holdsTheClockAgainstTheTolerance() {
        assertThat(clock(0, -3))
                .isEqualTo(
                        Finding.ok("clock", "this node's is within 3 ms of the coordinator's, tolerated are 5000 ms"));
        assertThat(clock(2_400, 2_500))
                .isEqualTo(Finding.ok(
                        "clock", "this node's is 2400 to 2500 ms ahead of the coordinator's, tolerated are 5000 ms"));
        assertThat(clock(-2_501, -2_510))
                .isEqualTo(Finding.warning(
                        "clock",
                        "this node's is 2501 to 2510 ms behind the coordinator's, tolerated are 5000 ms",
                        "correct the clock (NTP) on whichever is wrong, before nodes are refused"));
        for (int sign : new int[] {1, -1}) {
            assertThat(clock(sign * 5_001L, sign * 5_002L))
                    .isEqualTo(Finding.failure(
                            "clock",
                            "this node's is 5001 to 5002 ms " + (sign > 0 ? "ahead of" : "behind")
                                    + " the coordinator's, tolerated are 5000 ms",
                            "correct the clock (NTP) on whichever is wrong"));
        }
    }

    @Test
    void claimsNothingOfTheClockThatASlowAnswerDoesNotSay() {
        assertThat(clock(0, 9_000))
                .isEqualTo(Finding.warning(
                        "clock",
                        "this node's is 0 to 9000 ms ahead of the coordinator's, tolerated are 5000 ms",
                        "the answer took too long to tell: look again, and at the network"));
        assertThat(ClockCheck.of(null, 5_000))
                .isEqualTo(Finding.ok(
                        "clock",
                        "not compared: the coordinator's time can't be had without writing, and nothing is there yet"));
        // S = 0 is to the ms, and so is an answer within one.
        assertThat(ClockCheck.of(new Examination.Clock(NOW, 0, 1), 0).level()).isEqualTo(Finding.Level.OK);
        assertThat(ClockCheck.of(new Examination.Clock(NOW, 1, 1), 0).level()).isEqualTo(Finding.Level.FAILURE);
    }

    // Layout

    @Test
    void saysHowLongTheLayoutLasts() {
        Layout layout = Layout.CLASSIC;
        long end = layout.endMillis();
        String name = "41/10/12,tick=1ms,epoch=2025-01-01T00:00:00Z";
        assertThat(LayoutCheck.of(layout, NOW))
                .isEqualTo(Finding.ok("layout", name + " lasts until 2094-09-07T15:47:35.552Z (in 24752 d)"));
        assertThat(LayoutCheck.of(layout, end - Duration.ofDays(364).toMillis()))
                .isEqualTo(Finding.warning(
                        "layout",
                        name + " lasts until 2094-09-07T15:47:35.552Z (in 364 d)",
                        "plan the move to another namespace with a layout that lasts"));
        assertThat(LayoutCheck.of(layout, end))
                .isEqualTo(Finding.failure(
                        "layout",
                        name + " ended at 2094-09-07T15:47:35.552Z: no id can be issued",
                        "move to another namespace with a layout that lasts"));
        assertThat(LayoutCheck.of(layout, 0))
                .isEqualTo(Finding.failure(
                        "layout",
                        name + " begins at 2025-01-01T00:00:00.000Z, which is yet to come",
                        "check the clocks, or choose an earlier epoch"));
    }

    // Slots

    private static SlotInfo slot(int worker, SlotStatus state, String node) {
        return new SlotInfo(worker, state, node, 1, 0, NOW + 1_000L * worker, 0, 0, 0);
    }

    private static List<SlotInfo> slots(int held) {
        List<SlotInfo> slots = new ArrayList<>();
        for (int worker = 0; worker < 10; worker++) {
            slots.add(slot(worker, worker < held ? SlotStatus.EVICTED : SlotStatus.RELEASED, "n" + worker));
        }
        return slots;
    }

    @Test
    void countsTheWorkerIdsThatAreLeft() {
        String advice = "stop nodes that are not needed, or move to a layout with more worker bits";
        assertThat(SlotChecks.of(slots(7), registry(), NOW))
                .containsExactly(
                        Finding.ok("slots", "7 of 10 worker ids (0-9) are held"),
                        Finding.ok("names", "no two held worker ids have one node name"));
        assertThat(SlotChecks.of(slots(8), registry(), NOW))
                .first()
                .isEqualTo(Finding.warning("slots", "8 of 10 worker ids (0-9) are held", advice));
        assertThat(SlotChecks.of(slots(10), registry(), NOW))
                .first()
                .isEqualTo(Finding.failure(
                        "slots",
                        "10 of 10 worker ids (0-9) are held, the next one expires at 2026-12-01T00:00:05.000Z unless it"
                                + " is renewed",
                        advice));
    }

    @Test
    void namesThoseWhoShareAName() {
        List<SlotInfo> slots = List.of(
                slot(0, SlotStatus.HELD, "a"),
                slot(1, SlotStatus.DEGRADED, "a"),
                slot(2, SlotStatus.HELD, "b"),
                slot(3, SlotStatus.FREE, "b"),
                slot(4, SlotStatus.EVICTED, "b"),
                slot(5, SlotStatus.HELD, "c"),
                slot(6, SlotStatus.HELD, "c"),
                slot(7, SlotStatus.HELD, "c"),
                slot(8, SlotStatus.HELD, "c"));
        assertThat(SlotChecks.of(slots, registry(), NOW))
                .last()
                .isEqualTo(Finding.warning(
                        "names",
                        "held more than once: a (workers 0, 1); c (workers 5, 6, 7, 1 more)",
                        "harmless if one process has several generators; else nodes run with a copied --node or host"
                                + " name, and may swap worker ids when they start again"));
    }
}
