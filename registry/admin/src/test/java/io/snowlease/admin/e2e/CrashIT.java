package io.snowlease.admin.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.Layout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers with journals that are killed at random moments under load, and started again at once, on clocks that are
 * right, behind and ahead. How often is {@code -Dsnowlease.crashes}; 12 if not given.
 */
class CrashIT {
    private static final int CRASHES = Integer.getInteger("snowlease.crashes", 12);
    private static final long SEED = Long.getLong("snowlease.seed", new Random().nextLong());

    private static final int NODES = 2;

    /** From before the first lease to well after it was served from. */
    private static final int LATEST_MILLIS = 1_500;

    private static final long[] CLOCK_OFFSETS_MILLIS = {0, 0, -200, 0, 300, -1_000};

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void noIdIsIssuedTwiceWhenServersAreKilledAgainAndAgain() throws Exception {
        IssuedIds ids = new IssuedIds(Layout.CLASSIC);
        ExecutorService killers = Executors.newFixedThreadPool(NODES);
        try (Coordinator coordinator = Coordinator.start(folder, Duration.ofSeconds(3), Duration.ofSeconds(1), 3)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                String name = "node-" + i;
                Random random = new Random(SEED + i);
                ends.add(killers.submit(() -> killAgainAndAgain(coordinator, name, ids, random)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            System.out.printf("%d crashes, %d ids, seed %d%n", CRASHES, ids.count(), SEED);
        } finally {
            killers.shutdownNow();
            ids.check();
        }
    }

    private @Nullable Void killAgainAndAgain(Coordinator coordinator, String name, IssuedIds ids, Random random)
            throws Exception {
        String journal = folder.resolve(name).toString();
        FakeClock clock = new FakeClock(folder);
        try (Node node = new Node(folder, name, ids, "--coordinator", coordinator.uri(), "--journal", journal)
                        .on(clock)
                        .start();
                Traffic traffic = new Traffic(node, 2, 20)) {
            for (int crash = 0; crash < CRASHES / NODES; crash++) {
                if (crash % 3 != 2) {
                    traffic.awaitIds(1);
                }
                boolean ended = node.process().endsWithin(Duration.ofMillis(random.nextInt(LATEST_MILLIS)));
                assertThat(ended).as(node.process().err()).isFalse();
                node.kill();
                clock.set(Duration.ofMillis(CLOCK_OFFSETS_MILLIS[crash % CLOCK_OFFSETS_MILLIS.length]));
                node.start();
            }
            clock.set(Duration.ZERO);
            node.awaitId();
            return null;
        }
    }
}
