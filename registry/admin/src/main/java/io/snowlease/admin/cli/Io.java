package io.snowlease.admin.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Where results and messages go. A result that can't be written is an error, unlike with {@link PrintStream}. */
public final class Io {
    private static final int BUFFER_BYTES = 1 << 16;

    private final OutputStream results;
    private final PrintStream messages;
    private final Terminal terminal;

    /** Results to {@code results}, in UTF-8; messages to {@code messages}; nobody to ask. */
    public Io(OutputStream results, PrintStream messages) {
        this(results, messages, Terminal.NONE);
    }

    /** Results to {@code results}, in UTF-8; messages and questions to {@code messages}, answers from a terminal. */
    public Io(OutputStream results, PrintStream messages, Terminal terminal) {
        this.results = results;
        this.messages = messages;
        this.terminal = terminal;
    }

    /** The process's own streams; from now on, nobody else writes to stdout (ZooKeeper does). */
    public static Io ofProcess() {
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        return new Io(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES),
                System.err,
                Terminal.ofProcess());
    }

    /** A line of results, at once. */
    void result(String line) throws IOException {
        write(line);
        flush();
    }

    /** Results and a line end, some time before {@link #flush}. */
    void write(String line) throws IOException {
        results.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void flush() throws IOException {
        results.flush();
    }

    /** A line for people. */
    void message(String text) {
        messages.println("snowlease: " + text.replaceAll("\\s*\\R\\s*", " "));
    }

    /** A question, left open for an answer on the same line. */
    void ask(String question) {
        messages.print("snowlease: " + question);
        messages.flush();
    }

    Terminal terminal() {
        return terminal;
    }

    OutputStream results() {
        return results;
    }

    PrintStream messages() {
        return messages;
    }
}
