package io.snowlease.registry.redis;

import static io.snowlease.registry.contract.StoreSamples.T;
import static io.snowlease.registry.contract.StoreSamples.claimNew;
import static io.snowlease.registry.contract.StoreSamples.makeRegistry;
import static io.snowlease.registry.contract.StoreSamples.recordOf;
import static io.snowlease.registry.contract.StoreSamples.released;
import static io.snowlease.registry.contract.StoreSamples.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import io.snowlease.registry.CoordinatorAccessException;
import io.snowlease.registry.RegistryAdmin;
import io.snowlease.registry.spi.Finding;
import io.snowlease.registry.spi.RegistryView;
import io.snowlease.registry.spi.StoreAccessException;
import io.snowlease.registry.spi.StoreUnavailableException;
import io.snowlease.registry.spi.StoredSlot;
import io.snowlease.registry.spi.WriteResult;
import io.snowlease.registry.testing.Logs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A user who may do what the README says, no more; and what is said to one who may not. */
@TestInstance(Lifecycle.PER_CLASS)
class AclTest {
    private static final String PASSWORD = "secret@of:lease/%+";
    private static final String ENCODED = "secret%40of:lease%2F%25+";
    private static final Pattern SET_USER = Pattern.compile("ACL SETUSER snowlease on >PASSWORD (.+)");

    private static final Pattern FIRST_CELL = Pattern.compile("^\\| `([^`]+)`");
    private static final List<String> FOR_MORE = List.of("+select", "+cluster|nodes", "+client|list", "+config|get");

    private RedisServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        server = new RedisServer(folder);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** The README's rules. */
    private static List<String> documented() throws IOException {
        Matcher line = SET_USER.matcher(Files.readString(root().resolve("README.md")));
        assertThat(line.find()).as("ACL SETUSER in the README").isTrue();
        return Arrays.asList(line.group(1).split(" ", -1));
    }

    /** The README's table: what is needed always, and what is needed for more. */
    private static Set<String> explained() throws IOException {
        Set<String> rules = new TreeSet<>();
        String table = Files.readString(root().resolve("README.md")).split("\\| ACL \\| what for \\|", -1)[1];
        for (String row :
                table.strip().lines().takeWhile(line -> line.startsWith("|")).toList()) {
            Matcher cell = FIRST_CELL.matcher(row);
            if (cell.find()) {
                rules.addAll(List.of(cell.group(1).replace("\\|", "|").split(" ", -1)));
            }
        }
        return rules;
    }

    private static Path root() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("README.md"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no README.md above " + Path.of("").toAbsolutePath());
    }

    private static Stream<String> documentedCommands() throws IOException {
        return documented().stream().filter(rule -> rule.startsWith("+"));
    }

    private void setUser(String user, List<String> rules) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", user, "on", ">" + PASSWORD));
        command.addAll(rules);
        assertThat(server.ask(command.toArray(new String[0]))).isEqualTo("OK");
    }

    private String uri(String user) {
        return "redis://" + user + ":" + ENCODED + "@127.0.0.1:" + server.port;
    }

    @Test
    void theDocumentedUserCanDoAllThereIs() throws Exception {
        setUser("all", documented());

        useAll("all");
    }

    @Test
    void theTableExplainsAllThatIsInTheLineAndNothingElse() throws Exception {
        Set<String> inTheLine = new TreeSet<>(documented());
        inTheLine.remove("resetchannels");
        inTheLine.addAll(FOR_MORE);

        assertThat(explained()).isEqualTo(inTheLine);
    }

    /** From the making of a registry to an operator's evict and quarantine, with no right more than is documented. */
    @Test
    void theDocumentedUserIsEnoughForANodeAndAnOperator() throws Exception {
        setUser("node", documented());
        try (Nodes nodes = new Nodes(uri("node")).init(Duration.ofMinutes(1), Duration.ofSeconds(5), 7);
                RegistryAdmin admin = nodes.builder("operator").openAdmin()) {
            Nodes.Node node = nodes.start("a");
            assertThat(node.ids().nextId()).isPositive();
            assertThat(admin.evict(node.ids().workerId()).worker())
                    .isEqualTo(node.ids().workerId());
            node.ids().close();
            assertThat(admin.quarantine().quarantineUntil()).isPositive();
            assertThat(admin.storeFindings())
                    .noneMatch(finding -> finding.check().equals("servers") && finding.level() != Finding.Level.OK)
                    .anyMatch(finding -> finding.found().startsWith("no append-only file: "));
        }
    }

    @Test
    void whatIsNeededForMoreIsEnoughForIt() throws Exception {
        List<String> rules = new ArrayList<>(documented());
        rules.addAll(List.of("+select", "+config|get"));
        setUser("more", rules);

        try (RedisStore store = Stores.open(uri("more") + "/2", "more")) {
            RegistryView view = makeRegistry(store, 0, 1);
            assertThat(claimNew(store, view, "a", T).record()).isNotNull();
            assertThat(store.findings()).anyMatch(finding -> finding.found().startsWith("nothing is kept on disk: "));
        }
        assertThat(server.ask("-n", "2", "EXISTS", RedisKeys.of("more").hash())).isEqualTo("1");
        setUser("no-more", documented());
        try (RedisStore store = Stores.open(uri("no-more") + "/2", "more")) {
            assertThatExceptionOfType(StoreAccessException.class)
                    .isThrownBy(store::view)
                    .withMessage("Redis at 127.0.0.1:" + server.port + "/2 does not let user 'no-more' use a command"
                            + " (NOPERM) while looking at the registry: ACL SETUSER no-more +select; the README lists all"
                            + " that is needed");
        }
    }

    @ParameterizedTest
    @MethodSource("documentedCommands")
    void aCommandThatIsMissingIsNamed(String command) throws Exception {
        String user = "without-" + command.substring(1);
        List<String> rules = new ArrayList<>(documented());
        rules.remove(command);
        setUser(user, rules);

        assertThatExceptionOfType(StoreAccessException.class)
                .isThrownBy(() -> useAll(user))
                .withMessageMatching("Redis at 127\\.0\\.0\\.1:\\d+ does not let user '" + user
                        + "' use a command \\(NOPERM\\) while [a-z0-9 -]+: ACL SETUSER " + user + " \\" + command
                        + "; the README lists all that is needed");
    }

    private void useAll(String user) {
        server.ask("SCRIPT", "FLUSH");
        try (RedisStore store = Stores.open(uri(user), "acl-" + UUID.randomUUID())) {
            RegistryView view = makeRegistry(store, 0, 1);
            StoredSlot a = claimNew(store, view, "a", T + 1);
            StoredSlot b = claimNew(store, view, "b", T + 2);
            assertThat(store.write(view, a, renewed(recordOf(a), T + 3), Long.MAX_VALUE))
                    .isEqualTo(WriteResult.WRITTEN);
            assertThat(store.write(view, b, released(recordOf(b), T + 2), Long.MAX_VALUE))
                    .isEqualTo(WriteResult.WRITTEN);
            assertThat(store.candidates(view, "c").nextNeverUsed()).isEmpty();
            assertThat(store.bounds(9)).hasSize(2);
            assertThat(store.list()).hasSize(2);
        }
        try (RedisStore store = Stores.open(
                uri(user) + "?replicas=1", "acl-" + UUID.randomUUID(), Stores.options(Duration.ofSeconds(5)))) {
            RegistryView view = makeRegistry(store, 0, 1);
            StoredSlot free = store.nextNeverUsed(view).orElseThrow();
            try {
                claimNew(store, view, "a", T);
            } catch (StoreAccessException e) {
                throw e;
            } catch (StoreUnavailableException e) {
                assertThat(e).hasMessageStartingWith("0 of 1 replicas");
            }
            assertThat(free.record()).isNull();
        }
    }

    @Test
    void keysThatAreMissingAreNamed() throws Exception {
        List<String> rules = new ArrayList<>(documented());
        rules.replaceAll(rule -> rule.startsWith("~") ? "~other:*" : rule);
        setUser("elsewhere", rules);

        assertThatExceptionOfType(StoreAccessException.class)
                .isThrownBy(() -> useAll("elsewhere"))
                .withMessage(
                        "Redis at 127.0.0.1:" + server.port + " does not let user 'elsewhere' touch the keys (NOPERM)"
                                + " while looking at the registry: ACL SETUSER elsewhere ~snowlease:{NAMESPACE}*; the README"
                                + " lists all that is needed");
    }

    @Test
    void aWrongPasswordEndsAStartAtOnceAndIsNowhere() throws Exception {
        setUser("lease", documented());
        try (Logs logs = new Logs("io.lettuce", Level.DEBUG);
                Logs netty = new Logs("io.netty", Level.DEBUG);
                Nodes nodes = new Nodes("redis://lease:not-the-secret@127.0.0.1:" + server.port)) {
            assertThatExceptionOfType(CoordinatorAccessException.class)
                    .isThrownBy(() -> nodes.start("a"))
                    .withMessage("Redis at 127.0.0.1:" + server.port + " does not accept the password of user 'lease'"
                            + " (WRONGPASS) while looking at the registry: correct it; with requirepass alone the user is"
                            + " called default")
                    .satisfies(e -> assertThat(Logs.trace(e)).doesNotContain("not-the-secret"));
            assertThat(logs.texts()).isNotEmpty().noneMatch(text -> text.contains("not-the-secret"));
            assertThat(netty.texts()).noneMatch(text -> text.contains("not-the-secret"));
        }
    }

    @Test
    void nothingThatIsLoggedHoldsThePasswordOrAStackTrace() throws Exception {
        setUser("logged", documented());
        try (Logs logs = new Logs("io.lettuce", Level.DEBUG);
                Logs netty = new Logs("io.netty", Level.DEBUG);
                Logs own = new Logs("io.snowlease", Level.DEBUG)) {
            useAll("logged");

            for (Logs all : List.of(logs, netty, own)) {
                assertThat(all.texts())
                        .noneMatch(text -> text.contains(PASSWORD))
                        .noneMatch(text -> text.contains(ENCODED))
                        .noneMatch(text -> text.contains("MAINT_NOTIFICATIONS"));
            }
            assertThat(logs.texts()).isNotEmpty().noneMatch(text -> text.contains("\tat "));
        }
    }

    @Test
    void aPasswordThatIsMissingIsAskedFor(@TempDir Path folder) throws Exception {
        try (RedisServer locked = new RedisServer(folder, "requirepass secret-of-all");
                RedisStore none = Stores.open(locked.uri(), "locked");
                RedisStore some = Stores.open("redis://:secret-of-all@127.0.0.1:" + locked.port, "locked")) {
            assertThatExceptionOfType(StoreAccessException.class)
                    .isThrownBy(none::view)
                    .withMessage(
                            "Redis at 127.0.0.1:" + locked.port + " asks for a password (NOAUTH) while looking at the"
                                    + " registry: give user and password, by credentials(user, password), by"
                                    + " SNOWLEASE_REDIS_AUTH or by --redis-auth-file");
            assertThat(some.view().record()).isNull();
        }
    }

    @Test
    void credentialsComeFromOnePlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Nodes("redis://lease:secret-1@127.0.0.1:1/2")
                        .with(builder -> builder.credentials("lease", "secret-2"))
                        .start("a"))
                .withMessage("must be given once, in the URI or by credentials(user, password), SNOWLEASE_REDIS_AUTH or"
                        + " --redis-auth-file: user and password for 127.0.0.1:1/2");
    }
}
