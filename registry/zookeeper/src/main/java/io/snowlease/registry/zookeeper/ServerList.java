package io.snowlease.registry.zookeeper;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code zookeeper://h1:2181,h2:2181/chroot} or {@code zookeeper+tls://h1:2281,h2:2281/chroot}, parsed.
 *
 * @param isTls whether the servers are spoken to by TLS
 * @param hosts {@code h1:2181,h2:2181}, ports filled in
 * @param chroot {@code /chroot}, or empty
 */
record ServerList(boolean isTls, String hosts, String chroot) {
    static final String PLAIN = "zookeeper";
    static final String TLS = "zookeeper+tls";

    private static final int DEFAULT_PORT = 2181;
    private static final int DEFAULT_TLS_PORT = 2281;
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+(?:%[\\w.-]+)?]|[\\w.-]+)(?::(\\d{1,5}))?");
    private static final Pattern CHROOT = Pattern.compile("(/[^/\\p{Cntrl}]+)*");

    static ServerList parse(URI uri) {
        if (uri.toString().indexOf('@') >= 0) {
            throw new IllegalArgumentException("must not hold credentials, which others could see in the process list:"
                    + " give them by credentials(user, password), by SNOWLEASE_ZOOKEEPER_AUTH or by"
                    + " --zookeeper-auth-file (an @ of a chroot is written %40): uri="
                    + uri.toString().replaceAll("//.*@", "//***@"));
        }
        // getAuthority also undoes %5B: several IPv6 addresses can't be written plainly in a java.net.URI.
        String authority = uri.getAuthority();
        if (authority == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw malformed(uri);
        }
        boolean isTls = TLS.equalsIgnoreCase(uri.getScheme());
        int defaultPort = isTls ? DEFAULT_TLS_PORT : DEFAULT_PORT;
        List<String> hosts = new ArrayList<>();
        for (String host : authority.split(",", -1)) {
            Matcher parts = HOST.matcher(host);
            if (!parts.matches()) {
                throw malformed(uri);
            }
            int port = parts.group(2) == null ? defaultPort : Integer.parseInt(parts.group(2));
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException("must be 1-65535: port=" + port + " in " + uri);
            }
            hosts.add(parts.group(1) + ":" + port);
        }
        return new ServerList(isTls, String.join(",", hosts), chroot(uri));
    }

    /** {@code h1:2181} and {@code h2:2181}. */
    List<String> each() {
        return List.of(hosts.split(",", -1));
    }

    private static String chroot(URI uri) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        String chroot = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        for (String element : chroot.split("/", -1)) {
            if (element.equals(".") || element.equals("..")) {
                throw malformed(uri);
            }
        }
        if (!CHROOT.matcher(chroot).matches()) {
            throw malformed(uri);
        }
        return chroot;
    }

    private static IllegalArgumentException malformed(URI uri) {
        return new IllegalArgumentException(
                "must be zookeeper[+tls]://host[:port][,host[:port]...][/chroot], IPv6 addresses in []: uri=" + uri);
    }

    @Override
    public String toString() {
        return hosts + chroot;
    }
}
