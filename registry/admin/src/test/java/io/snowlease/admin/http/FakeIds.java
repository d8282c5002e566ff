package io.snowlease.admin.http;

import io.snowlease.admin.FakeGenerator;
import io.snowlease.generator.IdGenerator;
import io.snowlease.generator.Layout;
import java.util.Optional;

/** An id source in whatever state a test wants. */
final class FakeIds implements IdSource {
    private volatile ServiceState state;
    private volatile Optional<Layout> layout;

    private FakeIds(ServiceState state, Optional<Layout> layout) {
        this.state = state;
        this.layout = layout;
    }

    static FakeIds serving(IdGenerator generator) {
        return new FakeIds(new ServiceState.Serving(generator), Optional.of(generator.layout()));
    }

    static FakeIds serving() {
        return serving(new FakeGenerator(Layout.CLASSIC));
    }

    static FakeIds waiting(String reason, long retryAfterMillis) {
        return new FakeIds(new ServiceState.Waiting(reason, retryAfterMillis), Optional.empty());
    }

    @Override
    public ServiceState state() {
        return state;
    }

    @Override
    public Optional<Layout> layout() {
        return layout;
    }
}
