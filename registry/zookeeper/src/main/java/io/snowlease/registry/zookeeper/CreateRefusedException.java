package io.snowlease.registry.zookeeper;

import org.apache.zookeeper.KeeperException.NoAuthException;

/** A node that is missing may not be made. */
final class CreateRefusedException extends NoAuthException {
    private static final long serialVersionUID = 1L;

    private final String node;

    CreateRefusedException(String node) {
        this.node = node;
    }

    String node() {
        return node;
    }
}
