package io.snowlease.admin.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Defaults from the environment; an empty variable counts as not set. */
final class Defaults implements IDefaultValueProvider {
    private static final Map<String, String> VARIABLES = Map.of(
            "--coordinator", "SNOWLEASE_COORDINATOR",
            "--namespace", "SNOWLEASE_NAMESPACE",
            "--zookeeper-auth-file", "SNOWLEASE_ZOOKEEPER_AUTH_FILE",
            "--zookeeper-trust-store", "SNOWLEASE_ZOOKEEPER_TRUST_STORE",
            "--zookeeper-key-store", "SNOWLEASE_ZOOKEEPER_KEY_STORE");

    private final Map<String, String> environment;

    Defaults(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)) {
            return null;
        }
        String variable = VARIABLES.get(option.longestName());
        String value = variable == null ? null : environment.get(variable);
        return value == null || value.isBlank() ? null : value;
    }

    /** What must not be an option: the environment alone has it. */
    @Nullable
    String secret(String variable) {
        String value = environment.get(variable);
        return value == null || value.isBlank() ? null : value;
    }
}
