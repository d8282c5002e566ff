package io.snowlease.admin.http;

import io.snowlease.generator.Layout;
import java.util.Optional;

/** Where the server's ids come from. Thread-safe; does not block. */
public interface IdSource {
    /** Whether ids can be asked for, now. */
    ServiceState state();

    /** How ids are laid out; empty while that is not known. */
    Optional<Layout> layout();
}
