package io.snowlease.generator.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.snowlease.generator.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Worker ids of hosts of the test's making. */
class WorkerIdSourceTest {
    private final FakeHost host = new FakeHost();

    private int worker(String spec) {
        return WorkerIdSource.parse(spec).workerId(Layout.CLASSIC, host);
    }

    private void assertRefused(String spec, String message) {
        assertThatThrownBy(() -> worker(spec))
                .isInstanceOf(LocalWorkerException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"fixed:0", "fixed:7", "property:a.b", "env:A", "ip:0", "ip:3:eth0", "mac", "mac:eth0", "ordinal"
            })
    void readsWhatItShows(String spec) {
        assertThat(WorkerIdSource.parse(spec)).hasToString(spec);
        assertThat(WorkerIdSource.parse(spec).weakness()).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "7",
                "fixed",
                "fixed:",
                "fixed:-1",
                "fixed:x",
                "fixed:1234567890",
                "env",
                "env: ",
                "property:",
                "ip",
                "ip:",
                "ip:x",
                "ip:1:",
                "mac:",
                "ordinal:",
                "ordinal:1",
                "Mac",
                "fixed:7\n"
            })
    void refusesOtherSpecs(String spec) {
        assertThatThrownBy(() -> WorkerIdSource.parse(spec))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a worker id must come from fixed:7, property, property:KEY, env:NAME, ip:SERVICE,"
                        + " ip:SERVICE:INTERFACE, mac, mac:INTERFACE or ordinal: worker=" + spec);
    }

    @Test
    void fixedIsTheNumberIfTheLayoutHasRoomForIt() {
        assertThat(worker("fixed:7")).isEqualTo(7);
        assertThat(worker("fixed:1023")).isEqualTo(1023);
        assertRefused(
                "fixed:1024",
                "worker id must be 0 to 1023 (10 worker bits): fixed:1024 gives 1024; use another source, or a layout"
                        + " with more worker bits");
        assertThatThrownBy(() -> WorkerIdSource.fixed(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be >= 0: worker=-1");
    }

    @Test
    void propertyIsTheSystemPropertyThenTheVariable() {
        host.environment.put("SNOWLEASE_WORKER_ID", "8");
        assertThat(worker("property")).isEqualTo(8);
        host.properties.put("snowlease.worker.id", " ");
        assertThat(worker("property")).isEqualTo(8);
        host.properties.put("snowlease.worker.id", " 7 ");
        assertThat(worker("property")).isEqualTo(7);
        assertThat(worker("env:SNOWLEASE_WORKER_ID")).isEqualTo(8);
    }

    @Test
    void aNamedPropertysVariableIsNamedAlike() {
        host.environment.put("MY_WORKER_ID", "9");
        assertThat(worker("property:my.worker-id")).isEqualTo(9);
    }

    @Test
    void aSettingThatIsMissingOrNoNumberIsRefused() {
        assertRefused(
                "property",
                "a worker id must be set as system property snowlease.worker.id or environment variable"
                        + " SNOWLEASE_WORKER_ID: it is not; set it, differently for every process");
        assertRefused(
                "env:W",
                "a worker id must be set as environment variable W: it is not; set it, differently for every process");
        host.environment.put("W", "-3");
        assertRefused(
                "env:W",
                "a worker id must be a whole number, 0 or more: environment variable W is '-3'; set it to one that no other"
                        + " process has");
        host.properties.put("snowlease.worker.id", "1e3");
        assertRefused(
                "property",
                "a worker id must be a whole number, 0 or more: system property snowlease.worker.id is '1e3'; set it to one"
                        + " that no other process has");
    }

    @Test
    void ipIsTheServiceAndTheLast8Bits() {
        host.ipv4("eth0", 10, 0, 3, 255);
        assertThat(worker("ip:0")).isEqualTo(255);
        assertThat(worker("ip:2")).isEqualTo(767);
        assertThat(worker("ip:3:eth0")).isEqualTo(1023);
        assertThatThrownBy(() -> WorkerIdSource.parse("ip:4"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be 0 to 3: service=4");
    }

    @Test
    void severalAddressesAreRefusedUnlessTheyGiveTheSame() {
        host.ipv4("docker0", 172, 17, 0, 1).ipv4("eth0", 10, 0, 0, 5);
        assertRefused(
                "ip:2",
                "a worker id of ip:2 must come from one address that is not local: docker0 172.17.0.1 gives 513, eth0"
                        + " 10.0.0.5 gives 517; name the interface, as in ip:2:docker0");
        assertThat(worker("ip:2:eth0")).isEqualTo(517);
        host.ipv4("eth0", 10, 0, 1, 5);
        assertThat(worker("ip:2:eth0")).isEqualTo(517);
        host.ipv4("eth0", 10, 0, 0, 6);
        assertRefused(
                "ip:2:eth0",
                "a worker id of ip:2:eth0 must come from one address that is not local: eth0 10.0.0.5 gives 517, eth0"
                        + " 10.0.0.6 gives 518, eth0 10.0.1.5 gives 517; use another source, such as fixed:7");
    }

    @Test
    void withoutAnAddressThereIsNoWorkerId() {
        for (String spec : new String[] {"ip:1", "ip:1:eth9", "mac", "mac:eth9"}) {
            assertRefused(
                    spec,
                    "a worker id of " + spec
                            + " must come from one address that is not local: there is none; use another"
                            + " source, such as fixed:7");
        }
    }

    @Test
    void macIsTheLow10Bits() {
        host.mac("eth0", 0x02, 0xfc, 0x00, 0x00, 0xff, 0xfe);
        assertThat(worker("mac")).isEqualTo(0x3fe);
        // A bond and its links have one address.
        host.mac("bond0", 0x02, 0xfc, 0x00, 0x00, 0xff, 0xfe);
        assertThat(worker("mac")).isEqualTo(0x3fe);
        host.mac("eth1", 0x02, 0xfc, 0x00, 0x00, 0x04, 0x01);
        assertRefused(
                "mac",
                "a worker id of mac must come from one address that is not local: bond0 mac1 gives 1022, eth0 mac0 gives"
                        + " 1022, eth1 mac2 gives 1; name the interface, as in mac:bond0");
        assertThat(worker("mac:eth1")).isEqualTo(1);
    }

    @Test
    void aLayoutWithFewerBitsRefusesWhatItCantHold() {
        host.mac("eth0", 0, 0, 0, 0, 1, 0);
        assertThatThrownBy(() -> WorkerIdSource.mac(null).workerId(Layout.JS_SAFE, host))
                .isInstanceOf(LocalWorkerException.class)
                .hasMessage(
                        "worker id must be 0 to 31 (5 worker bits): mac gives 256; use another source, or a layout with"
                                + " more worker bits");
    }

    @ParameterizedTest
    @CsvSource({"orders-7, 7", "orders-0, 0", "my-shop-12, 12", "orders-7.orders.shop.svc.cluster.local, 7"})
    void ordinalIsTheEndOfTheHostsName(String name, int worker) {
        host.hostNameFile(name + "\n");
        assertThat(worker("ordinal")).isEqualTo(worker);
        host.hostNameFile("other-9");
        host.environment.put("HOSTNAME", name);
        assertThat(worker("ordinal")).isEqualTo(worker);
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "orders-", "-7", "orders-07", "orders7", "orders-7b", "orders.shop-7", "7"})
    void otherNamesHaveNoOrdinal(String name) {
        host.environment.put("HOSTNAME", name);
        host.hostNameFile("orders-7");
        assertRefused(
                "ordinal",
                "the host's name must end in a StatefulSet's ordinal, such as name-7: $HOSTNAME is " + name
                        + "; run it in a StatefulSet, or use another source, such as fixed:7");
    }

    @Test
    void ordinalNeedsAName() {
        assertRefused(
                "ordinal",
                "the host's name must end in a StatefulSet's ordinal, such as name-7: neither $HOSTNAME nor /etc/hostname is"
                        + " there; run it in a StatefulSet, or use another source, such as fixed:7");
    }

    @Test
    void aHostThatCantBeAskedGivesNoWorkerId() {
        HostFacts mute = new HostFacts() {
            @Override
            Map<String, byte[]> addresses(boolean mac) {
                throw new UncheckedIOException(new IOException("no permission"));
            }
        };
        assertThatThrownBy(() -> WorkerIdSource.mac(null).workerId(Layout.CLASSIC, mute))
                .isInstanceOf(LocalWorkerException.class)
                .hasMessage(
                        "the worker id of mac must be readable on this host: java.io.IOException: no permission; use"
                                + " another source, such as fixed:7");
    }

    /** Whatever this machine is like: an answer, or a refusal; never an error. */
    @ParameterizedTest
    @ValueSource(strings = {"ip:0", "mac", "ordinal", "env:PATH", "property"})
    void thisHostAnswers(String spec) {
        try {
            assertThat(WorkerIdSource.parse(spec).workerId(Layout.CLASSIC)).isBetween(0, 1023);
        } catch (LocalWorkerException e) {
            assertThat(e).hasMessageContaining("must");
        }
    }
}
