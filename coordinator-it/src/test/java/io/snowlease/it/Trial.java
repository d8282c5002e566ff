package io.snowlease.it;

import static org.awaitility.Awaitility.await;

import io.snowlease.admin.e2e.IssuedIds;
import io.snowlease.admin.e2e.Traffic;
import io.snowlease.generator.Layout;
import io.snowlease.registry.protocol.RegistrySettings;
import io.snowlease.registry.protocol.WorkerRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Faults on one topology, one after the other: a namespace of its own, nodes, traffic, and the checker that all ids go to.
 * Each fault's end writes its row of the report, and fails if anything was wrong.
 */
final class Trial implements AutoCloseable {
    static final Duration LEASE = Duration.ofSeconds(3);
    static final Duration SKEW = Duration.ofSeconds(1);

    private static final int PER_REQUEST = 50;

    /** Leaves the machine to the faults: many trials run at once. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Topology topology;
    private final Duration lease;
    private final String namespace = "trial-" + COUNT.incrementAndGet();
    private final IssuedIds ids = new IssuedIds(Layout.CLASSIC);
    private final SlotWatch watch = new SlotWatch();
    private final List<ContainerNode> nodes = new ArrayList<>();
    private final List<Traffic> traffics = new ArrayList<>();
    private final List<Embedded> embedded = new ArrayList<>();
    private final Set<Box> ownBoxes = new HashSet<>();
    private String fault;
    private long begunMillis = System.currentTimeMillis();
    private int idsBefore;
    private Duration toService = Duration.ZERO;
    private long healedNanos;
    private boolean isPromised = true;
    private boolean isOver;

    private Trial(String fault, Topology topology, Duration lease) {
        this.fault = fault;
        this.topology = topology;
        this.lease = lease;
    }

    /** With D = 3 s, S = 1 s, and a registry that is usable at once. */
    static Trial of(String fault, Topology topology, int lastWorker) {
        return of(fault, topology, lastWorker, LEASE);
    }

    static Trial of(String fault, Topology topology, int lastWorker, Duration lease) {
        Trial trial = new Trial(fault, topology, lease);
        topology.init(
                trial.namespace, new RegistrySettings(Layout.CLASSIC, lease, SKEW, new WorkerRange(0, lastWorker)));
        return trial;
    }

    String namespace() {
        return namespace;
    }

    IssuedIds ids() {
        return ids;
    }

    /** All, in the order in which they were asked for. */
    List<ContainerNode> nodes() {
        return List.copyOf(nodes);
    }

    /** What is found goes into the report, and does not fail it. */
    void notPromised() {
        isPromised = false;
    }

    /** A generator in this JVM that is asked for ids until the trial ends; none where the coordinator can't be reached. */
    Optional<Embedded> embedded() {
        Optional<Embedded> here = topology.hostUri().map(uri -> new Embedded(uri, namespace, lease, ids));
        here.ifPresent(embedded::add);
        return here;
    }

    /** One that is still to be started. */
    ContainerNode node(String name) {
        return node(name, List.of());
    }

    /** One that is still to be started, with a journal. */
    ContainerNode nodeWithJournal(String name) {
        return node(name, List.of("--journal", "/box/journal-" + namespace + "-" + name));
    }

    /** One that is still to be started, with more options. */
    ContainerNode node(String name, List<String> more) {
        return add(new ContainerNode(NodeBoxes.take(), name, ids, options(more)));
    }

    /** One that is still to be started, and goes to another server of the coordinator. */
    ContainerNode nodeAt(String uri, String name) {
        return add(new ContainerNode(NodeBoxes.take(), name, ids, options(uri, List.of())));
    }

    /** One that is still to be started, in a container of its own kind: on {@code port} there, mapped by another. */
    ContainerNode twinOf(ContainerNode other, Box twin, int port) {
        ownBoxes.add(twin);
        ContainerNode node =
                new ContainerNode(twin, other.box().port(port), port, other.name(), ids, options(List.of()));
        return add(node);
    }

    /** One that is still to be started, in a container that is not used again. */
    ContainerNode nodeIn(Box own, String name) {
        ownBoxes.add(own);
        return add(new ContainerNode(
                own, own.port(ContainerNode.PORT), ContainerNode.PORT, name, ids, options(List.of())));
    }

    private ContainerNode add(ContainerNode node) {
        nodes.add(node);
        watch.at(node);
        return node;
    }

    private List<String> options(List<String> more) {
        return options(topology.uri(), more);
    }

    private List<String> options(String uri, List<String> more) {
        List<String> options = new ArrayList<>(List.of("--coordinator", uri, "--namespace", namespace));
        // Stated, so that a registry that is lost is made again as it was.
        options.addAll(List.of("--lease-duration", lease.toMillis() + "ms", "--max-skew", SKEW.toMillis() + "ms"));
        if (!more.contains("--start-timeout")) {
            options.addAll(List.of("--start-timeout", Program.PATIENCE.toSeconds() + "s"));
        }
        options.addAll(more);
        return options;
    }

    /** Two clients that ask a node for ids until the trial ends; has some before it returns. */
    Traffic load(ContainerNode node) {
        return load(node, 2);
    }

    Traffic load(ContainerNode node, int clients) {
        Traffic traffic = new Traffic(node, clients, PER_REQUEST, PAUSE);
        traffics.add(traffic);
        traffic.awaitIds(100);
        return traffic;
    }

    /** Kills it when what it has been granted was seen: afterwards nobody may be there who tells it. */
    void kill(ContainerNode node) {
        watch.look();
        node.kill();
    }

    /** Lets a fault last for this long. */
    static void last(Duration time) {
        long start = System.nanoTime();
        await().atMost(time.plus(Program.PATIENCE))
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> System.nanoTime() - start >= time.toNanos());
    }

    /** The fault is over, or what was to come back has come back: service counts from here. */
    void healed() {
        healedNanos = System.nanoTime();
    }

    /** Waits until nodes serve whose fault is over. */
    void awaitService(Traffic... ofNodes) {
        for (Traffic traffic : ofNodes) {
            long before = traffic.issued();
            await("service after: " + fault)
                    .atMost(Program.PATIENCE)
                    .pollInterval(5, TimeUnit.MILLISECONDS)
                    .until(() -> traffic.issued() > before);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - healedNanos);
        toService = took.compareTo(toService) > 0 ? took : toService;
    }

    /** The next fault, whose row counts from here. */
    void begin(String next) {
        fault = next;
        begunMillis = System.currentTimeMillis();
        idsBefore = ids.count();
        toService = Duration.ZERO;
        traffics.forEach(Traffic::takeLongestRefusal);
        isOver = false;
    }

    /** The fault is over, and its row is written. */
    void end() {
        check();
    }

    @Override
    public void close() {
        try {
            watch.close();
            traffics.forEach(Traffic::close);
            embedded.forEach(Embedded::close);
            check();
        } finally {
            for (ContainerNode node : nodes) {
                node.close();
                if (!ownBoxes.contains(node.box())) {
                    NodeBoxes.giveBack(node.box());
                }
            }
        }
    }

    private void check() {
        IssuedIds.Findings findings = ids.findings(begunMillis);
        List<String> wrong = new ArrayList<>(findings.wrong());
        wrong.addAll(watch.findings(ids, topology.isDurable()));
        Duration refusal = traffics.stream()
                .map(Traffic::takeLongestRefusal)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        if (!isOver) {
            isOver = true;
            Report.add(new Report.Row(
                    fault,
                    topology.name(),
                    isPromised,
                    ids.count() - idsBefore,
                    wrong.stream().filter(text -> text.startsWith("I1:")).count(),
                    wrong,
                    findings.handovers(),
                    findings.handovers() == 0 ? null : findings.smallestGapMillis(),
                    refusal.toMillis(),
                    toService.toMillis()));
        }
        if (isPromised && !wrong.isEmpty()) {
            throw new AssertionError(fault + " on " + topology.name() + ", " + ids.count() + " ids: "
                    + String.join("\n", wrong) + "\n"
                    + nodes.stream().map(Trial::logOf).collect(Collectors.joining("\n")));
        }
    }

    private static String logOf(ContainerNode node) {
        return node.name() + ": "
                + (node.run() == 0 ? "not started" : node.program().err());
    }
}
