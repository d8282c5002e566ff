package io.snowlease.admin.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Undoes percent-encoding, strictly: two hex digits each, and UTF-8 underneath. */
final class PercentDecoder {
    private PercentDecoder() {}

    /** Decodes a path or a part of a query; {@code +} stands for itself. */
    static String decode(String text) throws RefusedRequestException {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '%') {
                bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
            if (high < 0 || low < 0) {
                throw malformed("'%' must be followed by two hex digits", text);
            }
            bytes.put((byte) (high << 4 | low));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(bytes.flip())
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed("percent-encoded bytes must be UTF-8", text);
        }
    }

    private static RefusedRequestException malformed(String rule, String text) {
        return RefusedRequestException.badRequest(rule + ": " + Shown.of(text));
    }
}
