package io.snowlease.registry;

import io.snowlease.generator.Layout;
import io.snowlease.registry.SimProfile.Kind;
import io.snowlease.registry.protocol.HeldBound;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.WorkerRange;
import io.snowlease.registry.spi.RegistryView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One seed is one history: four nodes, two worker ids, three servers; crashes, pauses, lost, late and doubled messages,
 * clock steps both ways, restarts and failovers that lose writes, operators who evict, quarantine and restore. The nodes
 * run the real client, keeper and generator, the operators the real code too.
 */
final class SimWorld {
    static final long START_MILLIS = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    /** An epoch off the second: bounds rounded to whole seconds since 1970 would split ticks. */
    static final Layout LAYOUT = Layout.parse("32/4/12,tick=1s,epoch=2025-01-01T00:00:00.657Z");

    static final long CALL_TIMEOUT_MILLIS = 5000;
    /** Largest D and S of any history. */
    static final long LEASE_MILLIS = 60_000;

    static final long SKEW_MILLIS = 5000;
    private static final int NODES = 4;
    private static final int SERVERS = 3;
    private static final int STEPS = 2500;

    private final Random random;
    private final SimProfile profile;
    private final SimRules rules;
    private final int journalledNodes;
    private final long leaseMillis;
    private final long skewMillis;
    private final IdChecker checker = new IdChecker(LAYOUT);
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
    private final List<SimServer> servers = new ArrayList<>();
    private final List<SimNode> nodes = new ArrayList<>();
    private long trueMillis = START_MILLIS;
    private long eventNumber;
    private long identityNumber = 100;
    private long tokenNumber;
    private int primary;
    private @Nullable SimServer replaced;
    private long replacedUntil;
    private boolean leaseShortened;
    private long refused;
    private int losses;
    private int handovers;
    private int operations;
    private int resumptions;
    private int startsAlone;
    private @Nullable SimOperator operator;

    private record Event(long time, long number, Runnable action) {}

    /** What a history came to. */
    record Outcome(
            long seed,
            List<String> violations,
            int ids,
            long refused,
            int losses,
            int handovers,
            int operations,
            int resumptions,
            int startsAlone,
            long furthestAheadMillis) {}

    private SimWorld(long seed, SimProfile profile, SimRules rules) {
        this.random = new Random(seed);
        this.journalledNodes = random.nextInt(2);
        // A third goes by a D and S that are no node's default: who joins reads them from the registry.
        this.leaseMillis = seed % 3 == 2 ? LEASE_MILLIS / 3 : LEASE_MILLIS;
        this.skewMillis = seed % 3 == 2 ? SKEW_MILLIS / 2 : SKEW_MILLIS;
        this.profile = profile;
        this.rules = rules;
        long dataSet = nextIdentity();
        for (int i = 0; i < SERVERS; i++) {
            SimServer server = new SimServer(this, i);
            server.runId = nextIdentity();
            server.dataSetId = dataSet;
            server.offsetMillis = smallOffset();
            servers.add(server);
        }
        for (int i = 0; i < NODES; i++) {
            SimNode node = new SimNode(this, i);
            node.offsetMillis = smallOffset();
            nodes.add(node);
        }
    }

    static Outcome run(long seed, SimProfile profile, SimRules rules) {
        SimWorld world = new SimWorld(seed, profile, rules);
        try {
            for (int step = 0; step < STEPS && !world.checker.foundDuplicate(); step++) {
                world.step();
            }
        } finally {
            world.nodes.forEach(SimNode::crash);
            world.endOperator();
        }
        return new Outcome(
                seed,
                world.checker.violations(),
                world.checker.ids(),
                world.refused,
                world.losses,
                world.handovers,
                world.operations,
                world.resumptions,
                world.startsAlone,
                world.checker.furthestAheadMillis());
    }

    private void step() {
        advanceTo(trueMillis + random.nextInt(6) * 250L);
        replicate();
        if (chance(profile.lossShare())) {
            lose();
        }
        if (chance(profile.operatorShare())) {
            operate();
        }
        if (profile.is(Kind.BAD_SERVERS) && chance(0.02)) {
            servers.get(primary).offsetMillis = smallOffset();
        }
        SimNode node = nodes.get(random.nextInt(NODES));
        if (node.isPaused()) {
            return;
        }
        if (chance(profile.cutShare())) {
            node.cutUntil = trueMillis + 20_000 + random.nextInt(180_000);
        }
        double x = random.nextDouble();
        if (isSplit() && node.isRunning() && chance(0.01)) {
            // Down until its lease has run out: whoever else has got its slot meanwhile, only one server knows of it.
            node.crash();
            node.downUntil = trueMillis + 40_000 + random.nextInt(50_000);
            return;
        }
        if (node.isRunning() && chance(0.002)) {
            node.turnDisk();
        }
        if (x < 0.01) {
            stepClock(node);
        } else if (x < 0.018 && profile.pauses()) {
            node.pauseFor(1000 + random.nextInt(200_000));
        } else if (x < 0.025) {
            node.crash();
        } else if (x < 0.032) {
            node.closeGenerator();
        } else if (!node.isRunning()) {
            if (node.downUntil <= trueMillis && chance(0.3)) {
                node.start();
            }
        } else {
            node.issue();
        }
    }

    private void advanceTo(long time) {
        while (true) {
            Event next = events.peek();
            if (next == null || next.time() > time) {
                break;
            }
            events.remove();
            trueMillis = Math.max(trueMillis, next.time());
            next.action().run();
        }
        trueMillis = time;
    }

    private void stepClock(SimNode node) {
        node.offsetMillis = switch (random.nextInt(6)) {
            case 0, 1, 2 -> smallOffset();
            case 3 -> random.nextInt(200_000) - 100_000L;
            case 4 -> 1_000_000;
            default -> -1_000_000;
        };
    }

    private void replicate() {
        SimServer source = servers.get(primary);
        if (!chance(0.1)) {
            return;
        }
        SimServer replica = servers.get(random.nextInt(SERVERS));
        if (replica != source && !isReplacedButWriting(replica)) {
            replica.copyFrom(source);
            replica.dataSetId = source.dataSetId;
        }
    }

    private void lose() {
        losses++;
        SimServer source = servers.get(primary);
        List<SimServer> others =
                servers.stream().filter(server -> server != source).toList();
        servers.forEach(
                server -> server.offsetMillis = profile.is(Kind.BAD_SERVERS) ? smallOffset() : server.offsetMillis);
        double x = random.nextDouble();
        if (x < (profile.is(Kind.SHORTER_LEASE) ? 0.8 : 0.15)) {
            source.runId = nextIdentity();
            source.dataSetId = nextIdentity();
            source.registry = null;
            source.slots.clear();
            leaseShortened = profile.is(Kind.SHORTER_LEASE);
        } else if (x < 0.3 && profile.restores() && chance(0.5)) {
            source.copyFrom(others.get(random.nextInt(others.size())));
            quarantineRestored(source);
        } else if (x < 0.3) {
            SimServer snapshot = others.get(random.nextInt(others.size()));
            source.runId = nextIdentity();
            source.dataSetId = nextIdentity();
            source.copyFrom(snapshot);
        } else {
            failOver(source, others.get(random.nextInt(others.size())));
        }
        if (profile.is(Kind.BAD_SERVERS) && chance(0.4)) {
            servers.get(primary).offsetMillis = -300_000;
        }
    }

    /** An operator evicts, or sets a quarantine without need. */
    private void operate() {
        endOperator();
        SimNode at = nodes.get(random.nextInt(NODES));
        SimOperator started =
                chance(0.2) ? SimOperator.quarantining(this, at) : SimOperator.evicting(this, at, random.nextInt(2));
        operator = started;
        started.resume();
    }

    private void endOperator() {
        SimOperator present = operator;
        operator = null;
        if (present != null && !present.isOver()) {
            present.kill();
        }
    }

    /** Those of even or of odd numbers keep a journal, the others don't. */
    int journalledNodes() {
        return journalledNodes;
    }

    /** A process got this lease; its journal proved the other. */
    void startedByProof(HeldBound proven, HeldBound granted) {
        if (granted.token().equals(proven.token())) {
            startsAlone++;
        } else if (granted.worker() == proven.worker() && granted.floor() == proven.floor()) {
            resumptions++;
        }
    }

    void operated() {
        operations++;
    }

    /** A write was stored: an operator may soon put back what was there before it. */
    void mayRestore(SimServer server, Runnable restore) {
        if (profile.is(Kind.RESTORES) && chance(0.03)) {
            after(500 + random.nextInt(4000), () -> {
                losses++;
                restore.run();
                quarantineRestored(server);
            });
        }
    }

    /** Before any node connects, by a clock that can be believed. */
    private void quarantineRestored(SimServer server) {
        RegistryView view = server.view();
        RegistryRecord registry = view.record();
        if (registry != null && rules.quarantinesRestored()) {
            server.replace(view, rules.leaseRules(LAYOUT).quarantined(registry, view.serverIdentity(), view.now(), 0));
        }
    }

    private void failOver(SimServer from, SimServer to) {
        boolean split = profile.splitMillis() > 0 && chance(0.7);
        if (!profile.is(Kind.FAILS_BACK) && !split) {
            from.runId = nextIdentity();
        }
        if (profile.is(Kind.FAILS_BACK)) {
            after(5000 + random.nextInt(100_000), () -> backTo(from));
        }
        primary = to.index;
        to.dataSetId = nextIdentity();
        replaced = split ? from : null;
        if (profile.is(Kind.SPLITS_LONG)) {
            nodes.stream().filter(node -> chance(0.5)).forEach(node -> node.serverIndex = to.index);
        }
        replacedUntil = split ? trueMillis + random.nextInt((int) profile.splitMillis()) : 0;
    }

    /** The former primary takes over again, with what it had: the same process, another data set. */
    private void backTo(SimServer former) {
        if (servers.get(primary) != former) {
            primary = former.index;
            former.dataSetId = nextIdentity();
            replaced = null;
        }
    }

    private boolean isReplacedButWriting(SimServer server) {
        return server == replaced && trueMillis <= replacedUntil;
    }

    /** The server that a message of this node reaches, or null. */
    @Nullable
    SimServer serverFor(SimNode node) {
        if (node.serverIndex != primary
                && !(isReplacedButWriting(servers.get(node.serverIndex)) && chance(0.98))
                && chance(0.9)) {
            node.serverIndex = primary;
        }
        SimServer server = servers.get(node.serverIndex);
        return server.index == primary || isReplacedButWriting(server) ? server : null;
    }

    /**
     * Who finds a registry states nothing, and adopts what it has. Once one was lost, those who make it anew state a
     * shorter lease duration.
     */
    RegistrySettings stated(SimNode node) {
        boolean shorter = leaseShortened && node.index % 2 == 0;
        RegistryRecord present = servers.get(primary).registry;
        if (present != null) {
            return new RegistrySettings(LAYOUT, null, null, new WorkerRange(0, 1));
        }
        return new RegistrySettings(
                LAYOUT,
                Duration.ofMillis(shorter ? leaseMillis / 2 : leaseMillis),
                Duration.ofMillis(skewMillis),
                new WorkerRange(0, 1));
    }

    boolean isRequestLost(SimNode node) {
        return node.cutUntil > trueMillis || chance(profile.lostShare());
    }

    boolean isReplyLost(SimNode node) {
        return node.cutUntil > trueMillis || chance(profile.lostShare());
    }

    boolean stallsInCall() {
        return isSplit() && chance(0.005);
    }

    /** Two servers accept writes, and for long. */
    private boolean isSplit() {
        SimServer old = replaced;
        return profile.is(Kind.SPLITS_LONG) && old != null && isReplacedButWriting(old);
    }

    /** A write arrived: the moment after it is the one in which faults do most harm. */
    void wrote(SimNode writer, long sentAt) {
        if (profile.is(Kind.FAILING_NETWORK) && trueMillis - sentAt > CALL_TIMEOUT_MILLIS && chance(0.7)) {
            writer.cutUntil = trueMillis + 50_000 + random.nextInt(60_000);
        }
        if (profile.is(Kind.EDGE_CLOCKS) && chance(0.05)) {
            after(100, () -> {
                writer.cutUntil = trueMillis + 60_000 + random.nextInt(30_000);
                lose();
            });
        }
    }

    boolean isDoubled() {
        return chance(profile.lostShare());
    }

    long delay() {
        if (chance(profile.lateShare())) {
            return CALL_TIMEOUT_MILLIS + random.nextInt(chance(0.5) ? 40_000 : 245_000);
        }
        return chance(profile.lateShare() * 4) ? random.nextInt(4500) : random.nextInt(300);
    }

    void at(long time, Runnable action) {
        events.add(new Event(time, eventNumber++, action));
    }

    void after(long millis, Runnable action) {
        at(trueMillis + millis, action);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    String nextToken() {
        return "token-" + tokenNumber++;
    }

    private long nextIdentity() {
        return identityNumber++;
    }

    private long smallOffset() {
        if (profile.is(Kind.EDGE_CLOCKS)) {
            return random.nextBoolean() ? skewMillis / 2 : -skewMillis / 2;
        }
        return random.nextInt((int) skewMillis) - skewMillis / 2;
    }

    void refused() {
        refused++;
    }

    void handedOver() {
        handovers++;
    }

    Random random() {
        return random;
    }

    long trueMillis() {
        return trueMillis;
    }

    SimProfile profile() {
        return profile;
    }

    SimRules rules() {
        return rules;
    }

    IdChecker checker() {
        return checker;
    }
}
