package io.snowlease.admin.cli;

import io.snowlease.registry.spi.StoreCredentials;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A file with user and password that an option names, read once. */
final class AuthFile {
    private final String option;
    private @Nullable StoreCredentials fromFile;

    AuthFile(String option) {
        this.option = option;
    }

    /** What the environment alone may hold; null if it does not. */
    static @Nullable String secret(String variable, CommandSpec command) {
        return command.defaultValueProvider() instanceof Defaults defaults ? defaults.secret(variable) : null;
    }

    /**
     * What the file holds.
     *
     * @throws IllegalArgumentException if it holds anything else
     * @throws ParameterException if it can't be read
     */
    StoreCredentials credentials(Path file, CommandSpec command) {
        StoreCredentials credentials = fromFile;
        if (credentials == null) {
            try {
                credentials = StoreCredentials.read(file);
                warnIfOthersCanRead(file, command);
            } catch (IOException e) {
                throw new ParameterException(
                        command.commandLine(),
                        option + " must be a file that can be read (" + reason(e) + "): " + option + " " + file,
                        e);
            }
            fromFile = credentials;
        }
        return credentials;
    }

    /** Not refused: secrets that are mounted into a container are readable there by all, as a rule. */
    private static void warnIfOthersCanRead(Path file, CommandSpec command) throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")
                && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
            command.commandLine()
                    .getErr()
                    .println("snowlease: " + file + " holds a password, and every user of this host can read it:"
                            + " chmod 600 it");
        }
    }

    private static String reason(IOException e) {
        return e instanceof FileSystemException failed && failed.getReason() != null
                ? failed.getReason()
                : e.getClass().getSimpleName();
    }
}
