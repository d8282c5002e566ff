package io.snowlease.registry.zookeeper;

import io.snowlease.registry.spi.StoreAccessException;
import io.snowlease.registry.spi.StoreCredentials;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who this client is to the servers, and who may do what with the nodes it makes: with credentials, their user alone;
 * without, everyone.
 *
 * <p>A registry that was made without credentials stays open until an operator closes it, and so do the nodes made
 * below it meanwhile: half of a registry closed would protect nothing, and lock out the nodes that have no credentials
 * yet. A change of the registry node's ACL shows in the version that comes with every read of it. Thread-safe.
 */
final class Access {
    private static final Logger log = LoggerFactory.getLogger(Access.class);
    private static final String WAYS =
            "by credentials(user, password), by SNOWLEASE_ZOOKEEPER_AUTH or by --zookeeper-auth-file";
    private static final int CHANGES = Perms.WRITE | Perms.CREATE | Perms.DELETE | Perms.ADMIN;

    private final @Nullable StoreCredentials credentials;
    private volatile List<ACL> acl;
    private volatile @Nullable Looked looked;

    Access(@Nullable StoreCredentials credentials) {
        this.credentials = credentials;
        this.acl = ownAcl();
    }

    /** A registry node's ACL, as of its making and of the changes of it. */
    private record Looked(long made, int changes) {}

    /** Makes a client present the credentials on every connection. */
    CuratorFrameworkFactory.Builder on(CuratorFrameworkFactory.Builder client) {
        if (credentials == null) {
            return client;
        }
        String text = credentials.user() + ":" + credentials.password();
        return client.authorization("digest", text.getBytes(StandardCharsets.UTF_8));
    }

    /** What a new node gets. The servers put the user in: how they hash a password is theirs to choose. */
    List<ACL> acl() {
        return acl;
    }

    /** There is no registry at present. */
    void registryMissing() {
        looked = null;
        acl = ownAcl();
    }

    /** Looks at the ACL of the registry node if it is not known; one read for each change of it. */
    void registrySeen(ZkSession session, String path, Stat registry)
            throws KeeperException, InterruptedException, TimeoutException {
        Looked now = new Looked(registry.getCzxid(), registry.getAversion());
        if (credentials == null || now.equals(looked)) {
            return;
        }
        int everyones = session.await(session.acl(path)).stream()
                .filter(entry -> entry.getId().equals(Ids.ANYONE_ID_UNSAFE))
                .mapToInt(ACL::getPerms)
                .reduce(0, (a, b) -> a | b);
        acl = everyones == Perms.ALL ? Ids.OPEN_ACL_UNSAFE : ownAcl();
        looked = now;
        if ((everyones & CHANGES) != 0) {
            log.warn(
                    "ZooKeeper node {} can be changed by everyone: it was made without credentials, and they protect"
                            + " nothing of it; once all its nodes have credentials, close it with zkCli:"
                            + " addauth digest user:password, then setAcl -R {} auth::cdrwa",
                    path,
                    path);
        }
    }

    /** What is wrong, if the servers say that this client may not; else null. */
    @Nullable
    StoreAccessException refused(String servers, String what, KeeperException e) {
        if (e instanceof CreateRefusedException refused) {
            return new StoreAccessException(
                    servers + " does not let this node make " + refused.node() + " (NoAuth) while " + what
                            + ": make it beforehand with all rights for " + whom() + ", or give credentials that may, "
                            + WAYS,
                    e);
        }
        if (e.code() == Code.NOAUTH) {
            return new StoreAccessException(
                    servers + " refuses this node " + (e.getPath() == null ? "access" : e.getPath())
                            + " (NoAuth) while "
                            + what + ": it was made with "
                            + (credentials == null
                                    ? "credentials, and none were given; give them "
                                    : "other credentials than those of " + whom()
                                            + "; give the same user and password ")
                            + WAYS,
                    e);
        }
        return e.code() == Code.AUTHFAILED ? notAccepted(servers, what, e) : null;
    }

    /** The servers don't know what to do with the credentials. */
    StoreAccessException notAccepted(String servers, String what, @Nullable KeeperException cause) {
        return new StoreAccessException(
                servers + " does not accept the credentials of " + whom() + " (AuthFailed) while " + what
                        + ": its digest authentication may be switched off, or a SASL login is wrong",
                cause);
    }

    private String whom() {
        return credentials == null ? "everyone" : "user '" + credentials.user() + "'";
    }

    private List<ACL> ownAcl() {
        return credentials == null ? Ids.OPEN_ACL_UNSAFE : Ids.CREATOR_ALL_ACL;
    }
}
