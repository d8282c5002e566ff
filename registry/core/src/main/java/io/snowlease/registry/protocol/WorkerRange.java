package io.snowlease.registry.protocol;

/**
 * The worker ids a registry hands out, both ends inclusive: several registries can share one layout.
 *
 * @param first lowest worker id
 * @param last highest worker id
 */
public record WorkerRange(int first, int last) {
    /** Checks {@code 0 <= first <= last < 2^31 - 1}. */
    public WorkerRange {
        if (first < 0 || last < first || last == Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "must be first-last with 0 <= first <= last < 2147483647: workers=" + first + "-" + last);
        }
    }

    /** Parses {@code 0-1023}. */
    public static WorkerRange parse(String text) {
        String[] ends = text.trim().split("-", -1);
        try {
            if (ends.length == 2) {
                return new WorkerRange(Integer.parseInt(ends[0].trim()), Integer.parseInt(ends[1].trim()));
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be first-last, such as 0-1023: workers=" + text, e);
        }
        throw new IllegalArgumentException("must be first-last, such as 0-1023: workers=" + text);
    }

    /** How many worker ids there are. */
    public int size() {
        return last - first + 1;
    }

    /** Whether {@code worker} is one of them. */
    public boolean contains(int worker) {
        return first <= worker && worker <= last;
    }

    @Override
    public String toString() {
        return first + "-" + last;
    }
}
