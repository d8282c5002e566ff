package io.snowlease.generator;

/** The generator was closed. */
public final class GeneratorClosedException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    GeneratorClosedException(String message) {
        super(RefusalReason.CLOSED, message, -1);
    }
}
