package io.snowlease.admin;

import io.snowlease.admin.cli.Backend;
import io.snowlease.admin.cli.Io;
import io.snowlease.admin.cli.SnowleaseCommand;

/** Where the runnable jar starts. */
public final class Main {
    private Main() {}

    /** Runs one command, and exits with its code. */
    public static void main(String[] args) {
        int code = 1;
        try {
            code = SnowleaseCommand.run(Io.ofProcess(), Backend.real(), System.getenv(), args);
        } catch (Throwable e) {
            // Not left to the JVM: ZooKeeper replaces its handler, and has threads that would keep it running.
            System.err.println("snowlease: internal error: " + e);
            e.printStackTrace();
        }
        System.exit(code);
    }
}
