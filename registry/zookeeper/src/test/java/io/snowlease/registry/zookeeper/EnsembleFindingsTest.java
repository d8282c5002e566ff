package io.snowlease.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.registry.spi.Disk;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.zookeeper.ServerProbe.Answer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of servers, by what they say of themselves. */
class EnsembleFindingsTest {
    private static final Finding ENSEMBLE = Finding.ok(
            "durability",
            "an ensemble: what it acknowledges is on a majority of its disks, unless it is run with forceSync=no, which"
                    + " can't be seen from here");

    private static Answer is(String server, @Nullable String mode) {
        return new Answer(server, mode, null);
    }

    private static List<Finding> of(Answer... answers) {
        return EnsembleFindings.of(List.of(answers));
    }

    @Test
    void anEnsembleIsAsItShouldBe() {
        assertThat(of(is("a:1", "follower"), is("b:1", "leader"), is("c:1", "follower")))
                .containsExactly(
                        Finding.ok("servers", "3 of 3 can be used: a:1 (follower), b:1 (leader), c:1 (follower)"),
                        ENSEMBLE);
    }

    @Test
    void warnsOfAServerThatIsAway() {
        assertThat(of(is("a:1", "follower"), is("b:1", "leader"), new Answer("c:1", null, "Connection refused")))
                .containsExactly(
                        Finding.warning(
                                "servers",
                                "2 of 3 can be used: a:1 (follower), b:1 (leader), c:1 (Connection refused)",
                                "start those that can't: one accident more may stop all leases from being renewed"),
                        ENSEMBLE);
    }

    @Test
    void failsIfAllAreAway() {
        assertThat(of(Answer.of("a:1", "This ZooKeeper instance is not currently serving requests\n")))
                .containsExactly(Finding.failure(
                        "servers",
                        "0 of 1 can be used: a:1 (runs, but does not serve: its ensemble has no majority)",
                        "check that they run and that these addresses are right"));
    }

    @Test
    void warnsOfASingleServer() {
        assertThat(of(Answer.of("a:1", "Zookeeper version: 3.9.5\nMode: standalone\nNode count: 5\n")))
                .containsExactly(
                        Finding.ok("servers", "1 of 1 can be used: a:1 (standalone)"),
                        Finding.warning(
                                "durability",
                                "one server, without a copy of its data",
                                "use an ensemble of three: with this disk the bounds of all leases are lost"));
    }

    @Test
    void warnsIfOneServerOfAnEnsembleIsNamed() {
        assertThat(of(is("a:1", "follower")))
                .containsExactly(
                        Finding.warning(
                                "servers",
                                "1 of 1 can be used: a:1 (follower), one of an ensemble",
                                "name the others in --coordinator too: nobody moves to a server that isn't named"),
                        ENSEMBLE);
    }

    /** Two clients of the "same" coordinator would be leased worker 0 each. */
    @Test
    void failsIfTheServersAreNotOneEnsemble() {
        Finding apart = Finding.failure(
                "durability",
                "the servers named are not one ensemble: nodes on different ones are leased the same worker ids",
                "stop all nodes, and name the servers of one ensemble in --coordinator");
        assertThat(of(is("a:1", "standalone"), is("b:1", "standalone"))).last().isEqualTo(apart);
        assertThat(of(is("a:1", "standalone"), new Answer("b:1", null, "Connection refused")))
                .last()
                .isEqualTo(apart);
        assertThat(of(is("a:1", "leader"), is("b:1", "leader"))).last().isEqualTo(apart);
    }

    @Test
    void guessesNothingOfServersThatDoNotSay() {
        String advice = "ask each: echo srvr | nc HOST PORT, at a port without TLS, says its mode";
        assertThat(of(Answer.of("a:1", "srvr is not executed because it is not in the whitelist.\n")))
                .containsExactly(
                        Finding.ok("servers", "1 of 1 can be used: a:1"),
                        Finding.warning(
                                "durability",
                                "one server is named, and it does not say whether it has copies of its data",
                                advice));
        assertThat(of(is("a:1", null), is("b:1", null)))
                .last()
                .isEqualTo(Finding.warning("durability", "no server says whether they are one ensemble", advice));
    }

    // The embedded server's folder

    @Test
    void saysWhatTheDataAreOn() {
        Path folder = Path.of("/data");
        assertThat(EmbeddedHome.durability(folder, new Disk("ext4", 100L << 20)))
                .isEqualTo(Finding.ok("durability", "one copy of the data, in /data (ext4, 100 MiB free)"));
        assertThat(EmbeddedHome.durability(folder, new Disk("ext4", (100L << 20) - 1)))
                .isEqualTo(Finding.warning(
                        "durability",
                        "one copy of the data, in /data (ext4, 99 MiB free)",
                        "make room: on a full disk the server stops"));
        assertThat(EmbeddedHome.durability(folder, new Disk("tmpfs", 9L << 30)))
                .isEqualTo(Finding.warning(
                        "durability",
                        "one copy of the data, in /data (tmpfs, 9 GiB free), which does not outlast a restart",
                        "choose a folder on a disk with --data"));
    }
}
