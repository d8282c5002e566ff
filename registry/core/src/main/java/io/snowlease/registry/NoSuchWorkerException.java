package io.snowlease.registry;

import io.snowlease.registry.protocol.WorkerRange;

/** The registry does not hand out this worker id. */
public final class NoSuchWorkerException extends RegistryException {
    private static final long serialVersionUID = 1L;

    NoSuchWorkerException(int worker, String namespace, WorkerRange range) {
        super(
                "no worker " + worker + " in namespace '" + namespace + "', whose worker ids are " + range
                        + ": see 'leases' for those in use",
                null);
    }
}
