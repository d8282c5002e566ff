package io.snowlease.registry.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.snowlease.registry.spi.MalformedRecordException;
import io.snowlease.registry.spi.StoreAccessException;
import io.snowlease.registry.spi.StoreCredentials;
import io.snowlease.registry.spi.StoreUnavailableException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What an error of the server, or of connecting to it, means, and what to do. Immutable. */
final class Refusals {
    /** The script did not run, and may run a moment later, perhaps on another server. */
    private static final Set<String> PASSING =
            Set.of("LOADING", "BUSY", "TRYAGAIN", "MASTERDOWN", "CLUSTERDOWN", "READONLY", "MOVED", "ASK");

    private static final Set<String> OTHER_SERVERS = Set.of("MASTERDOWN", "CLUSTERDOWN", "READONLY", "MOVED", "ASK");
    private static final String WAYS =
            "by credentials(user, password), by SNOWLEASE_REDIS_AUTH or by --redis-auth-file";
    private static final String SENTINEL_WAYS =
            "by sentinelCredentials(…), by SNOWLEASE_REDIS_SENTINEL_AUTH or by --redis-sentinel-auth-file";
    private static final Pattern COMMAND = Pattern.compile("NOPERM \\+(\\w+)|run the '([^']+)' command");

    private final RedisServers servers;
    private final @Nullable RedisTls tls;

    Refusals(RedisServers servers, @Nullable RedisTls tls) {
        this.servers = servers;
        this.tls = tls;
    }

    /** Whether waiting alone does not help. */
    boolean isFinal(Exception refused) {
        return !PASSING.contains(code(refused));
    }

    /** Whether another server is in charge, or this one may soon be no more. */
    boolean isOtherServers(Exception refused) {
        return OTHER_SERVERS.contains(code(refused));
    }

    /** An error that is final, for the caller. */
    RuntimeException of(Exception refused, String what) {
        RuntimeException access = access(refused, what);
        if (access != null) {
            return access;
        }
        String text = String.valueOf(refused.getMessage());
        return switch (code(refused)) {
            case "WRONGTYPE" ->
                new MalformedRecordException(
                        "a key of the namespace at " + at() + " is of another type than Snowlease's (" + text
                                + ") while " + what + ": what else uses keys that begin with snowlease: there?",
                        refused);
            case "OOM" ->
                unavailable(refused, what, "give it more maxmemory: leases can't be granted or renewed without");
            case "MISCONF" -> unavailable(refused, what, "put its disk right: it can't save, and takes no writes");
            case "NOREPLICAS" ->
                unavailable(
                        refused, what, "bring its replicas back: min-replicas-to-write asks for more than there are");
            default -> unavailable(refused, what, "");
        };
    }

    private StoreUnavailableException unavailable(Exception refused, String what, String advice) {
        return new StoreUnavailableException(
                at() + " refused what was sent while " + what + ": " + refused.getMessage()
                        + (advice.isEmpty() ? "" : "; " + advice),
                refused);
    }

    /** Why no connection came about; throws what no waiting mends. */
    Exception ofConnecting(@Nullable Throwable failed, String what) {
        boolean isSentinels = false;
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            isSentinels |= String.valueOf(cause.getMessage()).contains("Redis Sentinel");
            if (cause instanceof RedisCommandExecutionException refused) {
                RuntimeException access = isSentinels ? ofSentinels(refused, what) : access(refused, what);
                if (access != null) {
                    throw access;
                }
                if (code(refused).equals("MISCONF")) {
                    throw of(refused, what);
                }
            }
            if (cause instanceof SslHandshakeTimeoutException late) {
                return late;
            }
            if (cause instanceof SSLException refused) {
                throw new StoreAccessException(
                        "no connection to " + at() + " while " + what + ": " + ofTls(refused), refused);
            }
            if (cause instanceof StoreUnavailableException known) {
                return known;
            }
        }
        return failed instanceof Exception known ? known : new IllegalStateException(failed);
    }

    private String ofTls(SSLException failed) {
        Throwable root = failed;
        boolean isCertificate = false;
        while (root.getCause() != null) {
            root = root.getCause();
            isCertificate |= root instanceof CertificateException;
        }
        if (isCertificate || root.getClass().getName().contains("CertPath")) {
            return "its certificate is refused, going by " + tls + " (" + root.getMessage() + ")";
        }
        String text = String.valueOf(root.getMessage());
        return "the TLS handshake failed (" + text + "); does it want a certificate of this node, in a key store?";
    }

    /** What was tried until time was up. */
    RuntimeException timedOut(String what, Duration callTimeout, Exception last) {
        boolean isRefusal = last instanceof RedisCommandExecutionException;
        String problem = isRefusal ? "no use of " : "no connection to ";
        return new StoreUnavailableException(
                problem + at() + " within " + callTimeout.toMillis() + " ms while " + what + ": " + passing(last),
                last);
    }

    /** What could have passed by itself, and has not. */
    String passing(Exception last) {
        String advice = switch (code(last)) {
            case "READONLY" -> "it is a replica; name the primary, or use redis-sentinel:// or redis-cluster://";
            case "MOVED" ->
                servers.topology() == RedisServers.Topology.CLUSTER
                        ? "the namespace's hash slot is being moved to another server"
                        : "it is one of a cluster; use redis-cluster://";
            case "ASK", "TRYAGAIN" ->
                "the namespace's hash slot is being moved to another server: finish that, see redis-cli --cluster check";
            case "CLUSTERDOWN" -> "the cluster is down or misses hash slots: see redis-cli --cluster check";
            case "BUSY" -> "a script of another client has been running for too long: see what it is, and SCRIPT KILL";
            case "LOADING" -> "it is loading its data from disk";
            case "MASTERDOWN" -> "it is a replica that has lost its primary";
            default -> "";
        };
        return advice.isEmpty() ? brief(last) : advice + " (" + code(last) + ")";
    }

    private String brief(Exception last) {
        Throwable root = last;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof TimeoutException || root instanceof SslHandshakeTimeoutException) {
            return tls == null ? "no answer" : "no answer; has it TLS at this port?";
        }
        String message = root.getMessage();
        return message == null || message.isBlank() ? root.getClass().getSimpleName() : message;
    }

    /** Why a sentinel does not tell where the primary is; null if waiting may help. */
    private @Nullable StoreAccessException ofSentinels(Exception refused, String what) {
        StoreCredentials theirs = servers.sentinelCredentials();
        if (code(refused).equals("NOAUTH")) {
            return new StoreAccessException(
                    at() + ": a sentinel asks for a password (NOAUTH) while " + what + ": give user and password for"
                            + " sentinels, " + SENTINEL_WAYS + "; those for the servers are not sent to them",
                    refused);
        }
        if (theirs != null && isWrongPassword(refused)) {
            return new StoreAccessException(
                    at() + ": a sentinel does not accept the password of user '" + theirs.user()
                            + "' (WRONGPASS) while " + what
                            + ": correct it; with requirepass alone the user is called default",
                    refused);
        }
        return null;
    }

    private static boolean isWrongPassword(Exception refused) {
        String text = String.valueOf(refused.getMessage());
        return code(refused).equals("WRONGPASS")
                || text.contains("invalid password")
                || text.contains("without any password");
    }

    private @Nullable StoreAccessException access(Exception refused, String what) {
        String text = String.valueOf(refused.getMessage());
        String code = code(refused);
        if (code.equals("NOAUTH")) {
            return new StoreAccessException(
                    at() + " asks for a password (NOAUTH) while " + what + ": give user and password, " + WAYS,
                    refused);
        }
        if (isWrongPassword(refused)) {
            return new StoreAccessException(
                    at() + " does not accept the password of " + whom() + " (WRONGPASS) while " + what
                            + ": correct it; with requirepass alone the user is called default",
                    refused);
        }
        if (!code.equals("NOPERM")) {
            return null;
        }
        Matcher command = COMMAND.matcher(text);
        boolean isCommand = command.find();
        String missing = !isCommand
                ? "~" + RedisKeys.of("NAMESPACE").hash() + "*"
                : "+" + (command.group(1) == null ? command.group(2) : command.group(1));
        return new StoreAccessException(
                at() + " does not let " + whom() + (isCommand ? " use a command" : " touch the keys")
                        + " (NOPERM) while " + what + ": ACL SETUSER " + user() + " " + missing
                        + "; the README lists all that is needed",
                refused);
    }

    private String whom() {
        return "user '" + user() + "'";
    }

    private String user() {
        return servers.credentials() == null ? "default" : servers.credentials().user();
    }

    private String at() {
        return "Redis at " + servers;
    }

    private static String code(Exception refused) {
        if (!(refused instanceof RedisCommandExecutionException)) {
            return "";
        }
        String text = String.valueOf(refused.getMessage());
        int blank = text.indexOf(' ');
        return blank < 0 ? text : text.substring(0, blank);
    }
}
