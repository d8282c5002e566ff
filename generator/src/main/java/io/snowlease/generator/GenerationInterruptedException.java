package io.snowlease.generator;

/** The calling thread was interrupted while it waited; its interrupt flag is still set. */
public final class GenerationInterruptedException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    GenerationInterruptedException(String message) {
        super(RefusalReason.INTERRUPTED, message, 0);
    }
}
