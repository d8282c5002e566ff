package io.snowlease.generator.journal;

import org.jspecify.annotations.Nullable;

/** The journal can't be opened or written. The message says which file, why, and what to do. */
public class JournalException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JournalException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
