package io.snowlease.admin.http;

/** Client input as it may appear in an answer: short. */
final class Shown {
    private static final int MAX_LENGTH = 64;

    private Shown() {}

    static String of(String input) {
        return input.length() <= MAX_LENGTH ? input : input.substring(0, MAX_LENGTH) + "…";
    }
}
