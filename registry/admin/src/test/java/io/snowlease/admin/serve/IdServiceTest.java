package io.snowlease.admin.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.snowlease.admin.FakeAdmin;
import io.snowlease.admin.FakeGenerator;
import io.snowlease.admin.FakeRegistry;
import io.snowlease.admin.http.NoCoordinatorException;
import io.snowlease.admin.http.ServiceState;
import io.snowlease.generator.Clocks;
import io.snowlease.generator.GeneratorRefusals;
import io.snowlease.generator.Layout;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.RegistryRefusals;
import io.snowlease.registry.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the service does with each kind of refusal. */
class IdServiceTest {
    private static final Duration ENDLESS = Duration.ofHours(1);

    private final FakeGenerator generator = new FakeGenerator(Layout.JS_SAFE);
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Test
    void isReadyWithTheWorkerIdItHasLeased() throws Exception {
        FakeAdmin admin = new FakeAdmin(null);
        FakeRegistry registry = new FakeRegistry(generator);
        IdService service = start(admin, () -> registry, ENDLESS);

        assertThat(next()).isEqualTo("ready 3");
        assertThat(service.state()).isEqualTo(new ServiceState.Serving(generator));
        assertThat(service.layout()).contains(Layout.JS_SAFE);

        service.close();
        assertThat(generator.isClosed()).isTrue();
        assertThat(registry.isClosed()).isTrue();
        assertThat(admin.isClosed()).isTrue();
    }

    @Test
    void triesAgainWhereTimeHelpsAndTellsEachReasonOnce() throws Exception {
        Instant until = Instant.parse("2026-01-02T03:04:05Z");
        FakeRegistry registry = new FakeRegistry(
                generator,
                RegistryRefusals.quarantined(until, 20),
                RegistryRefusals.quarantined(until, 10),
                RegistryRefusals.allHeld(),
                RegistryRefusals.allHeld(),
                RegistryRefusals.away());
        try (IdService service = start(new FakeAdmin(null), () -> registry, ENDLESS)) {
            assertThat(List.of(next(), next(), next(), next()))
                    .containsExactly(
                            "waiting registry is in quarantine: no lease is granted before 2026-01-02T03:04:05Z, in 20"
                                    + " ms by the coordinator's clock; try again then, or raise the start timeout",
                            "waiting no free worker id: 2 of 2 (0-1) are held, the next one expires at"
                                    + " 2026-01-02T03:04:05Z unless it is renewed; stop a node, or use a layout with"
                                    + " more worker bits",
                            "waiting coordinator 10.0.0.1:2181 did not answer within 5000 ms: check that it runs and"
                                    + " that this address is right",
                            "ready 3");
            assertThat(service.state()).isInstanceOf(ServiceState.Serving.class);
        }
    }

    @Test
    void showsWhyItWaitsAndWhatIsKnownOfTheLayout() throws Exception {
        FakeAdmin admin = new FakeAdmin(FakeRegistry.record(Layout.SHARDED));
        IdService service = start(
                admin,
                () -> {
                    throw RegistryRefusals.allHeld();
                },
                ENDLESS);

        assertThat(next()).startsWith("waiting no free worker id: ");
        assertThat(service.state()).isInstanceOfSatisfying(ServiceState.Waiting.class, waiting -> {
            assertThat(waiting.reason()).startsWith("no free worker id: ");
            assertThat(waiting.retryAfterMillis()).isEqualTo(-1);
        });
        assertThat(service.layout()).contains(Layout.SHARDED);

        service.close();
        assertThat(events).isEmpty();
        assertThat(admin.isClosed()).isTrue();
    }

    @Test
    void waitsForTheCoordinatorsFirstAnswer() throws Exception {
        Queue<RuntimeException> refusals =
                new ConcurrentLinkedQueue<>(List.of(RegistryRefusals.away(), RegistryRefusals.away()));
        Supplier<WorkerRegistry> connecting = () -> {
            RuntimeException refusal = refusals.poll();
            if (refusal != null) {
                throw refusal;
            }
            return new FakeRegistry(generator);
        };
        try (IdService service = start(new FakeAdmin(null), connecting, ENDLESS)) {
            assertThat(next()).startsWith("waiting coordinator 10.0.0.1:2181 did not answer");
            assertThat(next()).isEqualTo("ready 3");
            assertThat(service.layout()).contains(Layout.JS_SAFE);
        }
    }

    @Test
    void failsWhenTheCoordinatorIsNotThereAtTheStart() throws Exception {
        Supplier<WorkerRegistry> away = () -> {
            throw RegistryRefusals.away();
        };
        try (IdService service = start(new FakeAdmin(null), away, Duration.ZERO)) {
            assertThat(next())
                    .isEqualTo("failed coordinator 10.0.0.1:2181 gave no answer within --start-timeout 0ms: check that"
                            + " it runs and that this address is right");
            assertThat(service.state()).isInstanceOf(ServiceState.Waiting.class);
        }
    }

    @Test
    void failsAtOnceWhereTimeCantHelp() throws Exception {
        Supplier<WorkerRegistry> mismatch = () -> {
            throw RegistryRefusals.mismatch();
        };
        try (IdService service = start(new FakeAdmin(null), mismatch, ENDLESS)) {
            assertThat(next()).startsWith("failed must equal the registry's: leaseDuration=");
            assertThat(service.slots()).isEmpty();
        }
    }

    @Test
    void withoutACoordinatorItIsReadyOnceTheClockHasCaughtUp() throws Exception {
        generator.refuseOnce(GeneratorRefusals.clockBehind(60_000));
        generator.refuseOnce(GeneratorRefusals.clockBehind(1));
        IdService service = start(new LocalIds(Layout.JS_SAFE, "fixed:3", () -> generator));

        assertThat(next()).isEqualTo("waiting clock is 60000 ms behind");
        assertThat(next()).isEqualTo("ready 3");
        assertThat(service.state()).isEqualTo(new ServiceState.Serving(generator));
        assertThat(service.layout()).contains(Layout.JS_SAFE);
        assertThatThrownBy(service::slots)
                .isInstanceOf(NoCoordinatorException.class)
                .hasMessage("there are no leases to show: this server's worker id comes from fixed:3, not from a"
                        + " coordinator");

        service.close();
        assertThat(generator.isClosed()).isTrue();
    }

    @Test
    void withoutACoordinatorItFailsWhereTimeCantHelp() throws Exception {
        generator.refuseAlways(GeneratorRefusals.boundReached());
        try (IdService service = start(new LocalIds(Layout.JS_SAFE, "fixed:3", () -> generator))) {
            assertThat(next()).isEqualTo("failed the bound of worker 3 has passed");
            assertThat(generator.isClosed()).isTrue();
            assertThat(service.state()).isInstanceOf(ServiceState.Waiting.class);
        }
    }

    @Test
    void withoutACoordinatorItCanBeClosedWhileItWaits() throws Exception {
        generator.refuseAlways(GeneratorRefusals.clockBehind(60_000));
        IdService service = start(new LocalIds(Layout.JS_SAFE, "fixed:3", () -> generator));
        assertThat(next()).isEqualTo("waiting clock is 60000 ms behind");

        service.close();
        assertThat(generator.isClosed()).isTrue();
        assertThat(events).isEmpty();
    }

    @Test
    void aSlowCoordinatorIsGivenMoreTimeWithEachTry() throws Exception {
        Queue<Duration> tries = new ConcurrentLinkedQueue<>();
        Coordinator slow = new Coordinator() {
            @Override
            public RegistryAdmin openAdmin() {
                return new FakeAdmin(null);
            }

            @Override
            public WorkerRegistry connect(Duration oneTry) {
                tries.add(oneTry);
                if (tries.size() < 6) {
                    throw RegistryRefusals.away();
                }
                return new FakeRegistry(generator);
            }
        };
        try (IdService service = start(new LeasedIds(slow, ENDLESS, Clocks.system()))) {
            assertThat(next()).startsWith("waiting ");
            assertThat(next()).isEqualTo("ready 3");
            assertThat(service.state()).isInstanceOf(ServiceState.Serving.class);
        }
        assertThat(tries.stream().map(Duration::toSeconds)).containsExactly(3L, 6L, 12L, 24L, 24L, 24L);
    }

    private IdService start(RegistryAdmin admin, Supplier<WorkerRegistry> connect, Duration startTimeout) {
        Coordinator coordinator = new Coordinator() {
            @Override
            public RegistryAdmin openAdmin() {
                return admin;
            }

            @Override
            public WorkerRegistry connect(Duration oneTry) {
                return connect.get();
            }
        };
        return start(new LeasedIds(coordinator, startTimeout, Clocks.system()));
    }

    private IdService start(IdOrigin origin) {
        IdService service = new IdService(
                origin,
                new ServiceEvents() {
                    @Override
                    public void ready(int worker) {
                        events.add("ready " + worker);
                    }

                    @Override
                    public void waiting(String reason) {
                        events.add("waiting " + reason);
                    }

                    @Override
                    public void failed(Throwable why) {
                        events.add("failed " + why.getMessage());
                    }
                },
                Duration.ofMillis(1));
        service.start();
        return service;
    }

    private @Nullable String next() throws InterruptedException {
        return events.poll(20, TimeUnit.SECONDS);
    }
}
