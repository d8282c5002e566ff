package io.snowlease.registry.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/** Who may do what with the nodes of a server, as ZooKeeper itself says. */
final class Acls {
    private Acls() {}

    /** What {@code zkCli} does with {@code addauth digest}. */
    static void login(ZooKeeper zk, String user, String password) {
        zk.addAuthInfo("digest", (user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** The ACL of a node that belongs to this user alone. */
    static List<ACL> of(String user, String password) throws Exception {
        return list(new ACL(
                Perms.ALL, new Id("digest", DigestAuthenticationProvider.generateDigest(user + ":" + password))));
    }

    /** As the client wants it: it asks whether a list holds null, which {@link List#of} takes amiss. */
    static List<ACL> list(ACL... entries) {
        return new ArrayList<>(List.of(entries));
    }

    /** The ACLs of a node and of all below it, by path. */
    static Map<String, List<ACL>> tree(ZooKeeper zk, String root) throws KeeperException, InterruptedException {
        Map<String, List<ACL>> acls = new TreeMap<>();
        for (String path : ZKUtil.listSubTreeBFS(zk, root)) {
            acls.put(path, zk.getACL(path, null));
        }
        return acls;
    }
}
