package io.snowlease.generator.journal;

import java.nio.file.Path;

/** The journal's folder is in use, by another process or by another journal of this one. */
public final class JournalLockedException extends JournalException {
    private static final long serialVersionUID = 1L;

    private final long holderPid;

    JournalLockedException(Path folder, long holderPid) {
        super(
                "a journal folder must serve one process at a time: " + folder + " is in use by " + holder(holderPid)
                        + "; stop that process, or give this one a folder of its own",
                null);
        this.holderPid = holderPid;
    }

    private static String holder(long pid) {
        if (pid < 0) {
            return "another process, whose pid can't be read";
        }
        return pid == ProcessHandle.current().pid() ? "this process (pid " + pid + ")" : "pid " + pid;
    }

    /** Process id of the holder as it saw it itself (another container may count differently); -1 if unreadable. */
    public long holderPid() {
        return holderPid;
    }
}
