package io.snowlease.generator.local;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A host of the test's making. */
final class FakeHost extends HostFacts {
    final Map<String, String> properties = new HashMap<>();
    final Map<String, String> environment = new HashMap<>();
    private final Map<String, byte[]> ipv4 = new TreeMap<>();
    private final Map<String, byte[]> macs = new TreeMap<>();
    private @Nullable String hostNameFile;

    FakeHost ipv4(String interfaceName, int... bytes) {
        ipv4.put(interfaceName + " " + bytes[0] + "." + bytes[1] + "." + bytes[2] + "." + bytes[3], bytes(bytes));
        return this;
    }

    FakeHost mac(String interfaceName, int... bytes) {
        macs.put(interfaceName + " mac" + macs.size(), bytes(bytes));
        return this;
    }

    FakeHost hostNameFile(String text) {
        hostNameFile = text;
        return this;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @Override
    @Nullable
    String property(String name) {
        return properties.get(name);
    }

    @Override
    @Nullable
    String environment(String name) {
        return environment.get(name);
    }

    @Override
    @Nullable
    String hostNameFile() {
        return hostNameFile;
    }

    @Override
    Map<String, byte[]> addresses(boolean mac) {
        return mac ? macs : ipv4;
    }
}
