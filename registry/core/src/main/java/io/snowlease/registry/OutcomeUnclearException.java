package io.snowlease.registry;

import org.jspecify.annotations.Nullable;

/** The coordinator's answer to a change was lost, and looking again did not tell: it may have happened, or may yet. */
public final class OutcomeUnclearException extends RegistryException {
    private static final long serialVersionUID = 1L;

    OutcomeUnclearException(String what, String servers, String whatToDo, @Nullable Throwable cause) {
        super(
                "it is not known whether " + what + " on coordinator " + servers
                        + (cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")")
                        + ", and it may still happen: " + whatToDo,
                cause);
    }
}
