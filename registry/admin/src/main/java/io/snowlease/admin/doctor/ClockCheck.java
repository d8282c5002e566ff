package io.snowlease.admin.doctor;

import io.snowlease.registry.Examination;
import io.snowlease.registry.spi.Finding;
import org.jspecify.annotations.Nullable;

/** How far this node's clock is from the coordinator's, against S. */
final class ClockCheck {
    private static final String CLOCK = "clock";
    private static final String CORRECT_IT = "correct the clock (NTP) on whichever is wrong";

    private ClockCheck() {}

    static Finding of(Examination.@Nullable Clock clock, long maxSkewMillis) {
        if (clock == null) {
            return Finding.ok(
                    CLOCK,
                    "not compared: the coordinator's time can't be had without writing, and nothing is there yet");
        }
        long least = Math.abs(clock.leastSkewMillis());
        long most = Math.abs(clock.mostSkewMillis());
        String tolerated = ", tolerated are " + maxSkewMillis + " ms";
        if (least == 0 && most <= Math.max(1, maxSkewMillis / 2)) {
            return Finding.ok(CLOCK, "this node's is within " + most + " ms of the coordinator's" + tolerated);
        }
        String skew = "this node's is " + least + " to " + most + " ms "
                + ((least == 0 ? clock.mostSkewMillis() : clock.leastSkewMillis()) > 0 ? "ahead of" : "behind")
                + " the coordinator's" + tolerated;
        if (least > maxSkewMillis) {
            return Finding.failure(CLOCK, skew, CORRECT_IT);
        }
        if (most <= maxSkewMillis / 2) {
            return Finding.ok(CLOCK, skew);
        }
        if (least > maxSkewMillis / 2) {
            return Finding.warning(CLOCK, skew, CORRECT_IT + ", before nodes are refused");
        }
        return Finding.warning(CLOCK, skew, "the answer took too long to tell: look again, and at the network");
    }
}
