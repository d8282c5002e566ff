package io.snowlease.registry.zookeeper;

import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.zookeeper.ServerProbe.Answer;
import java.util.List;
import java.util.stream.Collectors;

/** What the servers' own answers say of how many accidents the data outlast. */
final class EnsembleFindings {
    private static final String SERVERS = "servers";
    private static final String DURABILITY = "durability";
    private static final String STANDALONE = "standalone";
    private static final String LEADER = "leader";
    private static final String ASK_THEM = "ask each: echo srvr | nc HOST PORT, at a port without TLS, says its mode";

    private EnsembleFindings() {}

    static List<Finding> of(List<Answer> answers) {
        List<Answer> there =
                answers.stream().filter(answer -> answer.trouble() == null).toList();
        return there.isEmpty()
                ? List.of(servers(answers, there))
                : List.of(servers(answers, there), durability(answers, there));
    }

    private static Finding servers(List<Answer> answers, List<Answer> there) {
        List<Answer> away =
                answers.stream().filter(answer -> answer.trouble() != null).toList();
        String found = there.size() + " of " + answers.size() + " can be used: "
                + answers.stream().map(EnsembleFindings::text).collect(Collectors.joining(", "));
        if (there.isEmpty()) {
            return Finding.failure(SERVERS, found, "check that they run and that these addresses are right");
        }
        if (!away.isEmpty()) {
            return Finding.warning(
                    SERVERS, found, "start those that can't: one accident more may stop all leases from being renewed");
        }
        String mode = there.get(0).mode();
        if (answers.size() == 1 && mode != null && !mode.equals(STANDALONE)) {
            return Finding.warning(
                    SERVERS,
                    found + ", one of an ensemble",
                    "name the others in --coordinator too: nobody moves to a server that isn't named");
        }
        return Finding.ok(SERVERS, found);
    }

    private static String text(Answer answer) {
        String more = answer.trouble() == null ? answer.mode() : answer.trouble();
        return more == null ? answer.server() : answer.server() + " (" + more + ")";
    }

    private static Finding durability(List<Answer> answers, List<Answer> there) {
        long alone = count(there, STANDALONE);
        long known = there.stream().filter(answer -> answer.mode() != null).count();
        if ((alone > 0 && answers.size() > 1) || count(there, LEADER) > 1) {
            return Finding.failure(
                    DURABILITY,
                    "the servers named are not one ensemble: nodes on different ones are leased the same worker ids",
                    "stop all nodes, and name the servers of one ensemble in --coordinator");
        }
        if (alone > 0) {
            return Finding.warning(
                    DURABILITY,
                    "one server, without a copy of its data",
                    "use an ensemble of three: with this disk the bounds of all leases are lost");
        }
        if (known == 0) {
            return Finding.warning(
                    DURABILITY,
                    answers.size() == 1
                            ? "one server is named, and it does not say whether it has copies of its data"
                            : "no server says whether they are one ensemble",
                    ASK_THEM);
        }
        return Finding.ok(
                DURABILITY,
                "an ensemble: what it acknowledges is on a majority of its disks, unless it is run with forceSync=no,"
                        + " which can't be seen from here");
    }

    private static long count(List<Answer> answers, String mode) {
        return answers.stream().filter(answer -> mode.equals(answer.mode())).count();
    }
}
