/**
 * The store on Redis: standalone, Sentinel and Cluster.
 *
 * <p>Redis can lose writes that it has acknowledged: a crash between two syncs, a failover to a replica that lagged, an
 * eviction, a restart without persistence. Safety rests on noticing that. All records of a namespace are fields of one
 * hash, so that they are lost together or not at all; and each change is one script, which checks on the server that it is
 * still the one, with the data set, that the plan was made on.
 */
package io.snowlease.registry.redis;
