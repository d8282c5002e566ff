package io.snowlease.admin.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Compact JSON as a string, without data binding: that would double the start-up time of a command. */
public final class JsonText {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonText() {}

    /** Writes one value. */
    @FunctionalInterface
    public interface Body {
        /** Writes it to {@code json}. */
        void writeTo(JsonGenerator json) throws IOException;
    }

    /** What {@code body} writes. */
    public static String of(Body body) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            body.writeTo(json);
        } catch (IOException e) {
            throw new UncheckedIOException("a string can't fail to be written", e);
        }
        return text.toString();
    }
}
