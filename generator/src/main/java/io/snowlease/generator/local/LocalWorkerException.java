package io.snowlease.generator.local;

/**
 * This host gives no worker id that may be used: there is none where it was looked for, there are several, it does not
 * fit the layout, or the journal can't vouch for it. The message says which, and what to do. A worker id is never guessed.
 */
public final class LocalWorkerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LocalWorkerException(String message) {
        super(message);
    }
}
