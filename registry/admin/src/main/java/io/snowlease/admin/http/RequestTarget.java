package io.snowlease.admin.http;

/**
 * The target of a request, taken apart.
 *
 * @param path decoded path
 * @param query what follows the {@code ?}, as sent; empty when there is none
 */
record RequestTarget(String path, String query) {
    /** Takes origin form ({@code /v1/id?key=7}) and absolute form ({@code http://host/v1/id}). */
    static RequestTarget parse(String target) throws RefusedRequestException {
        String origin = withoutAuthority(target);
        int mark = origin.indexOf('?');
        return mark < 0
                ? new RequestTarget(PercentDecoder.decode(origin), "")
                : new RequestTarget(PercentDecoder.decode(origin.substring(0, mark)), origin.substring(mark + 1));
    }

    private static String withoutAuthority(String target) {
        if (target.startsWith("/")) {
            return target;
        }
        int scheme = target.indexOf("://");
        int path = scheme < 0 ? -1 : target.indexOf('/', scheme + 3);
        return path < 0 ? target : target.substring(path);
    }
}
