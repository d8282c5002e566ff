package io.snowlease.admin.serve;

import io.snowlease.admin.http.SlotSource;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import java.util.Optional;

/** Where a server's ids come from. Opened once, by one thread; the rest may be called by any. */
public interface IdOrigin extends SlotSource, AutoCloseable {
    /**
     * A generator with a {@code maxWait} of 0 that can issue ids now. Tries for as long as it takes where time can help.
     *
     * @throws InterruptedException if the service is closed meanwhile
     * @throws RuntimeException where time can't help
     */
    IdGenerator open(Patience patience) throws InterruptedException;

    /** How ids are laid out; empty while that is not known. */
    Optional<Layout> layout();

    /** Gives back what {@link #open} took, as far as it came; the generator is closed already. */
    @Override
    void close();
}
