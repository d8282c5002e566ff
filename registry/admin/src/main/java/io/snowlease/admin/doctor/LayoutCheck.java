package io.snowlease.admin.doctor;

import io.snowlease.admin.view.Instants;
import io.snowlease.generator.Layout;
import io.snowlease.registry.spi.Finding;
import java.time.Duration;

/** How long the layout's timestamps last. */
final class LayoutCheck {
    private static final String LAYOUT = "layout";
    private static final long YEAR_MILLIS = Duration.ofDays(365).toMillis();

    private LayoutCheck() {}

    static Finding of(Layout layout, long now) {
        if (layout.epochMillis() > now) {
            return Finding.failure(
                    LAYOUT,
                    layout + " begins at " + Instants.iso(layout.epochMillis()) + ", which is yet to come",
                    "check the clocks, or choose an earlier epoch");
        }
        if (layout.endMillis() <= now) {
            return Finding.failure(
                    LAYOUT,
                    layout + " ended at " + Instants.iso(layout.endMillis()) + ": no id can be issued",
                    "move to another namespace with a layout that lasts");
        }
        String found = layout + " lasts until " + Instants.iso(layout.endMillis()) + " ("
                + Instants.relative(layout.endMillis(), now) + ")";
        return layout.endMillis() - now < YEAR_MILLIS
                ? Finding.warning(LAYOUT, found, "plan the move to another namespace with a layout that lasts")
                : Finding.ok(LAYOUT, found);
    }
}
