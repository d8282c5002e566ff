package io.snowlease.generator.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What worker ids are made from; tests make it up. Asks no name server. */
class HostFacts {
    /** A system property. */
    @Nullable
    String property(String name) {
        return System.getProperty(name);
    }

    /** An environment variable. */
    @Nullable
    String environment(String name) {
        return System.getenv(name);
    }

    /** What {@code /etc/hostname} holds; null if there is none. */
    @Nullable
    String hostNameFile() {
        try {
            return Files.readString(Path.of("/etc/hostname"), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Addresses of the interfaces that are up and not loopback, by the interface's name, a space, and the address as text.
     *
     * @param mac hardware addresses; else IPv4 ones that are not link-local
     */
    Map<String, byte[]> addresses(boolean mac) {
        Map<String, byte[]> found = new TreeMap<>();
        try {
            for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (!each.isUp() || each.isLoopback()) {
                    continue;
                }
                byte[] hardware = each.getHardwareAddress();
                if (mac && hardware != null) {
                    found.put(each.getName() + " " + HexFormat.ofDelimiter(":").formatHex(hardware), hardware);
                }
                for (InetAddress address : Collections.list(each.getInetAddresses())) {
                    if (!mac && address instanceof Inet4Address && !address.isLinkLocalAddress()) {
                        found.put(each.getName() + " " + address.getHostAddress(), address.getAddress());
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
