package io.snowlease.admin;

import io.snowlease.admin.cli.Backend;
import io.snowlease.admin.cli.Io;
import io.snowlease.admin.cli.SnowleaseCommand;

/** Where the runnable jar starts. */
public final class Main {
    private Main() {}

    /** Runs one command, and exits with its code. */
    public static void main(String[] args) {
        System.exit(SnowleaseCommand.run(Io.ofProcess(), Backend.real(), System.getenv(), args));
    }
}
