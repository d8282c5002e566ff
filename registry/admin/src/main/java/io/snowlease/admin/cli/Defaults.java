package io.snowlease.admin.cli;

import io.snowlease.admin.cli.ConfigFile.ConfigException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What options are that the command line leaves out: the environment's {@code SNOWLEASE_LEASE_DURATION}, else the {@code
 * lease-duration} of the config file. Of options that take a value; a flag is always said where it counts. An empty
 * variable counts as not set.
 */
final class Defaults implements IDefaultValueProvider {
    private static final String CONFIG = "config";
    /** What Kubernetes puts into every container when there is a service called snowlease. */
    private static final Pattern SERVICE_LINK = Pattern.compile("(tcp|udp|sctp)://.*");

    private final Map<String, String> environment;
    private final Map<String, String> origins = new TreeMap<>();
    private @Nullable Path chosen;
    private @Nullable ConfigFile file;
    private @Nullable String trouble;
    private boolean loaded;

    Defaults(Map<String, String> environment) {
        this.environment = environment;
    }

    /** The command line names a file; false if it has named one already. */
    boolean choose(Path path) {
        boolean first = chosen == null;
        chosen = path;
        return first;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || !isSettable(option)) {
            return null;
        }
        String name = name(option);
        String variable = variable(name);
        String value = environment.get(variable);
        if (value != null && !value.isBlank() && !SERVICE_LINK.matcher(value).matches()) {
            origins.put(option.longestName(), "$" + variable);
            return value;
        }
        ConfigFile read = file(argument.command().root());
        String fromFile = read == null ? null : read.value(name);
        if (read != null && fromFile != null) {
            origins.put(option.longestName(), read.place(name));
        }
        return fromFile;
    }

    /** What is wrong with the config file, or null; known once all options have been asked for. */
    @Nullable
    String trouble(CommandSpec command) {
        ConfigFile unused = file(command.root());
        return trouble;
    }

    /** The message, and where those options of it come from that are not from the command line. */
    String explained(String message) {
        StringBuilder explained = new StringBuilder(message);
        origins.forEach((option, origin) -> {
            if (Pattern.compile("(?<![\\w-])" + option + "(?![\\w-])")
                    .matcher(message)
                    .find()) {
                explained
                        .append(" (")
                        .append(option)
                        .append(" is from ")
                        .append(origin)
                        .append(')');
            }
        });
        return explained.toString();
    }

    /** Read once, and only when it is first asked for: by then the command line has named it, if it does. */
    private @Nullable ConfigFile file(CommandSpec root) {
        if (!loaded) {
            loaded = true;
            try {
                Path path = path();
                file = path == null ? null : ConfigFile.read(path, settableNames(root));
            } catch (ConfigException e) {
                trouble = e.getMessage();
            } catch (InvalidPathException e) {
                trouble = "$" + variable(CONFIG) + " must be the path of a file: " + e.getMessage();
            }
        }
        return file;
    }

    private @Nullable Path path() {
        String variable = environment.get(variable(CONFIG));
        return chosen != null || variable == null || variable.isBlank() ? chosen : Path.of(variable);
    }

    private static Set<String> settableNames(CommandSpec command) {
        Set<String> names = new TreeSet<>();
        for (OptionSpec option : command.options()) {
            if (isSettable(option)) {
                names.add(name(option));
            }
        }
        for (CommandLine sub : command.subcommands().values()) {
            names.addAll(settableNames(sub.getCommandSpec()));
        }
        return names;
    }

    private static boolean isSettable(OptionSpec option) {
        return option.arity().max() > 0 && !name(option).equals(CONFIG);
    }

    private static String name(OptionSpec option) {
        return option.longestName().replaceFirst("^-+", "");
    }

    private static String variable(String name) {
        return "SNOWLEASE_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** What must not be an option: the environment alone has it. */
    @Nullable
    String secret(String variable) {
        String value = environment.get(variable);
        return value == null || value.isBlank() ? null : value;
    }
}
