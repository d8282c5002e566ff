package io.snowlease.admin.cli;

import picocli.CommandLine.Option;

/** Of every command. */
final class GlobalOptions {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit")
    boolean help;

    @Option(names = "--verbose", description = "Log more, and show stack traces of failures")
    void verbose(boolean on) {
        if (on) {
            LoggingSetup.verbose();
        }
    }
}
