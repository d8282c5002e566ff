package io.snowlease.admin.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.registry.SlotInfo;
import io.snowlease.registry.SlotStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsTableTest {
    @Test
    void alignsItsColumns() {
        long now = 1_000_000_000;
        SlotInfo held = new SlotInfo(
                0, SlotStatus.HELD, "node-a", 12, now - 60_000, now + 52_000, now - 3_000, now - 60_000, now - 8_000);
        SlotInfo unused =
                new SlotInfo(1023, SlotStatus.EXPIRING, "a-much-longer-name", 1, now, now - 1_000, now - 1, now, now);

        assertThat(SlotsTable.of(List.of(held, unused), now))
                .containsExactly(
                        "WORKER  STATE     NODE                EPOCH  UNTIL    LAST ID  RENEWED",
                        "0       HELD      node-a              12     in 52 s  3 s ago  8 s ago",
                        "1023    EXPIRING  a-much-longer-name  1      1 s ago  none     now");
    }
}
