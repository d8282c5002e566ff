/**
 * The store on ZooKeeper.
 *
 * <p>Safety rests on two things alone: ZooKeeper keeps what it acknowledged, and a {@code multi} is one atomic step.
 * Sessions, watches and ephemeral nodes play no part in it.
 */
package io.snowlease.registry.zookeeper;
