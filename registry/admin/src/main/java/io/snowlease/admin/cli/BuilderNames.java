package io.snowlease.admin.cli;

import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/** The registry's messages speak of {@code leaseDuration=PT60S}; here it is the option that was typed. */
final class BuilderNames {
    private static final Pattern NAME = Pattern.compile("(?<![\\w.-])([a-z]+(?:[A-Z][a-z]+)*)=");

    private BuilderNames() {}

    /** The message, with the options of this command for what they set. */
    static String asOptions(String message, CommandSpec command) {
        return NAME.matcher(message).replaceAll(found -> Matcher.quoteReplacement(asOption(found, command)));
    }

    private static String asOption(MatchResult found, CommandSpec command) {
        String option = "--" + found.group(1).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        return command.findOption(option) == null ? found.group() : option + "=";
    }
}
