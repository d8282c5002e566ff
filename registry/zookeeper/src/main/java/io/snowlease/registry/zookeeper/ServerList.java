package io.snowlease.registry.zookeeper;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code zookeeper://h1:2181,h2:2181/chroot}, parsed.
 *
 * @param hosts {@code h1:2181,h2:2181}, ports filled in
 * @param chroot {@code /chroot}, or empty
 */
record ServerList(String hosts, String chroot) {
    private static final int DEFAULT_PORT = 2181;
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+(?:%[\\w.-]+)?]|[\\w.-]+)(?::(\\d{1,5}))?");
    private static final Pattern CHROOT = Pattern.compile("(/[^/\\p{Cntrl}]+)*");

    static ServerList parse(URI uri) {
        // getAuthority also undoes %5B: several IPv6 addresses can't be written plainly in a java.net.URI.
        String authority = uri.getAuthority();
        if (authority == null
                || uri.getRawUserInfo() != null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null) {
            throw malformed(uri);
        }
        List<String> hosts = new ArrayList<>();
        for (String host : authority.split(",", -1)) {
            Matcher parts = HOST.matcher(host);
            if (!parts.matches()) {
                throw malformed(uri);
            }
            int port = parts.group(2) == null ? DEFAULT_PORT : Integer.parseInt(parts.group(2));
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException("must be 1-65535: port=" + port + " in " + uri);
            }
            hosts.add(parts.group(1) + ":" + port);
        }
        return new ServerList(String.join(",", hosts), chroot(uri));
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
        // Without what may be a password in it.
        String shown = uri.toString().replaceAll("//[^/]*@", "//...@");
        return new IllegalArgumentException(
                "must be zookeeper://host[:port][,host[:port]...][/chroot], IPv6 addresses in []: uri=" + shown);
    }

    @Override
    public String toString() {
        return hosts + chroot;
    }
}
