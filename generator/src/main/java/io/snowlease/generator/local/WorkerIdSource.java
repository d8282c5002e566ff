package io.snowlease.generator.local;

import io.snowlease.generator.Layout;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a worker id comes from when there is no coordinator: the ways in use elsewhere. <strong>None of them is as good
 * as a lease</strong>: each can give two processes the same worker id, and nobody notices. {@link #weakness} says how.
 * What a {@link LocalGenerator}'s journal adds is that one folder serves one process at a time, and that no id made from
 * it comes again, whatever clock and crashes do.
 *
 * <p>Immutable. The host is asked at each {@link #workerId}; no name server ever is.
 */
public final class WorkerIdSource {
    /** What {@link #parse} reads as {@code property}. */
    public static final String DEFAULT_PROPERTY = "snowlease.worker.id";

    private static final int MAX_SERVICE = 3;
    private static final Pattern SPEC = Pattern.compile("([a-z]+)(?::(.*))?", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final Pattern SERVICE = Pattern.compile("([0-9]{1,9})(?::(.+))?");
    private static final Pattern ORDINAL = Pattern.compile("[^.]+-(0|[1-9][0-9]{0,8})(?:\\..*)?");
    private static final String FORMS = "fixed:7, property, property:KEY, env:NAME, ip:SERVICE, ip:SERVICE:INTERFACE,"
            + " mac, mac:INTERFACE or ordinal";
    private static final String COPIED =
            "every process that is given a copy of the setting has the same number, as replicas of one manifest have";

    private final String spec;
    private final String weakness;
    private final ToIntFunction<HostFacts> lookUp;

    private WorkerIdSource(String spec, String weakness, ToIntFunction<HostFacts> lookUp) {
        this.spec = spec;
        this.weakness = weakness;
        this.lookUp = lookUp;
    }

    /**
     * This number. Collides when it is copied: a second replica of one manifest has it too.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public static WorkerIdSource fixed(int worker) {
        if (worker < 0) {
            throw new IllegalArgumentException("must be >= 0: worker=" + worker);
        }
        return new WorkerIdSource("fixed:" + worker, COPIED, host -> worker);
    }

    /**
     * The system property, or the environment variable where that is not set or blank. Collides when the setting is
     * copied: replicas of one manifest share it, and child processes inherit the variable.
     */
    public static WorkerIdSource property(String systemProperty, String environmentVariable) {
        return new WorkerIdSource("property:" + systemProperty, COPIED, host -> {
            String value = host.property(systemProperty);
            return value == null || value.isBlank()
                    ? variable(
                            host,
                            environmentVariable,
                            "system property " + systemProperty + " or environment variable ")
                    : number("system property " + systemProperty, value);
        });
    }

    /** The environment variable. Collides when the setting is copied, as {@link #property}. */
    public static WorkerIdSource environment(String variable) {
        return new WorkerIdSource("env:" + variable, COPIED, host -> variable(host, variable, "environment variable "));
    }

    /**
     * {@code service × 256} + the last 8 bits of the interface's IPv4 address; loopback and link-local ones don't count.
     * Collides where the last 8 bits are equal: in two subnets, behind NAT, in container networks that are all numbered
     * alike; and for two processes with one address, such as two on a host, or two pods on the host's network.
     *
     * @param service number of the service, 0–3, so that four can run on a host
     * @param interfaceName such as {@code eth0}; null for whichever has one, where only one has
     * @throws IllegalArgumentException if the service is not 0–3
     */
    public static WorkerIdSource serviceAndIp(int service, @Nullable String interfaceName) {
        if (service < 0 || service > MAX_SERVICE) {
            throw new IllegalArgumentException("must be 0 to " + MAX_SERVICE + ": service=" + service);
        }
        String spec = "ip:" + service;
        return new WorkerIdSource(
                named(spec, interfaceName),
                "addresses in two subnets, behind NAT or in two container networks can end in the same 8 bits, and"
                        + " processes on one host have the same address",
                host -> only(spec, interfaceName, host.addresses(false), service << 8, 0));
    }

    /**
     * The low 10 bits of the interface's MAC address. Collides by chance: of 38 hosts two have the same 10 bits as likely
     * as not. Containers' addresses are made from their IP address, or are the same everywhere, and a virtual machine's
     * copy may have its original's. All processes on a host have the same.
     *
     * @param interfaceName such as {@code eth0}; null for whichever has one, where only one has
     */
    public static WorkerIdSource mac(@Nullable String interfaceName) {
        return new WorkerIdSource(
                named("mac", interfaceName),
                "of 38 hosts two have the same 10 bits as likely as not, containers' addresses are made from their IP or"
                        + " are all the same, and processes on one host share it",
                host -> only("mac", interfaceName, host.addresses(true), 0, 3));
    }

    /**
     * The number at the end of a StatefulSet pod's name, {@code name-7}: from {@code $HOSTNAME}, or {@code
     * /etc/hostname} where that is not set. Collides between two StatefulSets, which both count from 0; with a pod that
     * was deleted by force and still runs on a node that is cut off; and on the host's network, where the name is the
     * node's. The journal must be on a volume that belongs to the pod and outlives it (a volume claim template).
     */
    public static WorkerIdSource ordinal() {
        return new WorkerIdSource(
                "ordinal",
                "two StatefulSets both count from 0, a pod that was deleted by force may still run, and on the host's"
                        + " network the name is the node's",
                WorkerIdSource::ordinal);
    }

    /**
     * Reads {@code fixed:7}, {@code property} (system property {@value #DEFAULT_PROPERTY}, then environment variable
     * {@code SNOWLEASE_WORKER_ID}), {@code property:my.key} (then {@code MY_KEY}), {@code env:NAME}, {@code ip:2}, {@code
     * ip:2:eth0}, {@code mac}, {@code mac:eth0} or {@code ordinal}.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static WorkerIdSource parse(String text) {
        Matcher parts = SPEC.matcher(text);
        String kind = parts.matches() ? parts.group(1) : "";
        String rest = parts.matches() ? parts.group(2) : null;
        if (rest == null || rest.isBlank()) {
            if (rest == null && kind.equals("property")) {
                return propertyNamed(DEFAULT_PROPERTY);
            } else if (rest == null && kind.equals("mac")) {
                return mac(null);
            } else if (rest == null && kind.equals("ordinal")) {
                return ordinal();
            }
        } else if (kind.equals("fixed") && NUMBER.matcher(rest).matches()) {
            return fixed(Integer.parseInt(rest));
        } else if (kind.equals("property")) {
            return propertyNamed(rest);
        } else if (kind.equals("env")) {
            return environment(rest);
        } else if (kind.equals("mac")) {
            return mac(rest);
        } else if (kind.equals("ip")) {
            Matcher service = SERVICE.matcher(rest);
            if (service.matches()) {
                return serviceAndIp(Integer.parseInt(service.group(1)), service.group(2));
            }
        }
        throw new IllegalArgumentException("a worker id must come from " + FORMS + ": worker=" + text);
    }

    private static WorkerIdSource propertyNamed(String key) {
        return property(key, key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"));
    }

    /**
     * The worker id that this host gives now, 0 to the layout's largest.
     *
     * @throws LocalWorkerException if there is none, or more than one, or it does not fit the layout
     */
    public int workerId(Layout layout) {
        return workerId(layout, new HostFacts());
    }

    int workerId(Layout layout, HostFacts host) {
        int worker;
        try {
            worker = lookUp.applyAsInt(host);
        } catch (UncheckedIOException e) {
            throw new LocalWorkerException("the worker id of " + spec + " must be readable on this host: "
                    + e.getCause() + "; use another source, such as fixed:7");
        }
        if (worker > layout.maxWorkerId()) {
            throw new LocalWorkerException("worker id must be 0 to " + layout.maxWorkerId() + " (" + layout.workerBits()
                    + " worker bits): " + spec + " gives " + worker
                    + "; use another source, or a layout with more worker bits");
        }
        return worker;
    }

    /** Why two processes can get the same worker id from it, for people. */
    public String weakness() {
        return weakness;
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return spec;
    }

    private static String named(String spec, @Nullable String interfaceName) {
        return interfaceName == null ? spec : spec + ":" + interfaceName;
    }

    private static int variable(HostFacts host, String name, String lookedFor) {
        String value = host.environment(name);
        if (value == null || value.isBlank()) {
            throw new LocalWorkerException("a worker id must be set as " + lookedFor + name
                    + ": it is not; set it, differently for every process");
        }
        return number("environment variable " + name, value);
    }

    private static int number(String where, String value) {
        if (!NUMBER.matcher(value.strip()).matches()) {
            throw new LocalWorkerException("a worker id must be a whole number, 0 or more: " + where + " is '" + value
                    + "'; set it to one that no other process has");
        }
        return Integer.parseInt(value.strip());
    }

    private static int ordinal(HostFacts host) {
        String name = host.environment("HOSTNAME");
        String where = "$HOSTNAME";
        if (name == null || name.isBlank()) {
            name = host.hostNameFile();
            where = "/etc/hostname";
        }
        Matcher matcher = ORDINAL.matcher(name == null ? "" : name.strip());
        if (!matcher.matches()) {
            throw new LocalWorkerException("the host's name must end in a StatefulSet's ordinal, such as name-7: "
                    + (name == null ? "neither $HOSTNAME nor /etc/hostname is there" : where + " is " + name.strip())
                    + "; run it in a StatefulSet, or use another source, such as fixed:7");
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** The one number that all addresses give: {@code high}, or the bits of the last byte but one, and the last byte. */
    private static int only(
            String spec, @Nullable String interfaceName, Map<String, byte[]> found, int high, int mask) {
        Set<Integer> numbers = new TreeSet<>();
        List<String> seen = new ArrayList<>();
        String first = "";
        for (Map.Entry<String, byte[]> each : found.entrySet()) {
            byte[] address = each.getValue();
            int last = address.length - 1;
            int number = high | (address[last - 1] & mask) << 8 | (address[last] & 0xff);
            String name = each.getKey().substring(0, each.getKey().indexOf(' '));
            if (interfaceName == null || interfaceName.equals(name)) {
                first = numbers.isEmpty() ? name : first;
                numbers.add(number);
                seen.add(each.getKey() + " gives " + number);
            }
        }
        if (numbers.size() == 1) {
            return numbers.iterator().next();
        }
        throw new LocalWorkerException(
                "a worker id of " + named(spec, interfaceName) + " must come from one address that is not local: "
                        + (numbers.isEmpty() ? "there is none" : String.join(", ", seen)) + "; "
                        + (numbers.isEmpty() || interfaceName != null
                                ? "use another source, such as fixed:7"
                                : "name the interface, as in " + spec + ":" + first));
    }
}
