package io.snowlease.admin.http;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** An address as it stands in a URL. */
final class HostAndPort {
    private HostAndPort() {}

    static String of(InetSocketAddress address) {
        if (address.getAddress() == null) {
            return address.getHostString() + ":" + address.getPort();
        }
        String ip = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + ip + "]" : ip) + ":" + address.getPort();
    }
}
