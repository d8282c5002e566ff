package io.snowlease.admin.http;

import io.snowlease.generator.IdGenerator;

/** Whether ids can be asked for. */
public sealed interface ServiceState {
    /**
     * They can; the generator may still refuse.
     *
     * @param generator made with a {@code maxWait} of 0: it is called on the event loop, which must not wait
     */
    record Serving(IdGenerator generator) implements ServiceState {}

    /**
     * They can't yet.
     *
     * @param reason why, for people
     * @param retryAfterMillis estimate of the ms until they can, or -1
     */
    record Waiting(String reason, long retryAfterMillis) implements ServiceState {}
}
