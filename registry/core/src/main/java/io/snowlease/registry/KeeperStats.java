package io.snowlease.registry;

/**
 * Counts since the registry was opened.
 *
 * @param renewals renewals that moved a bound ahead
 * @param failedRenewals renewals that got no answer, or a refusal that left the lease in place
 * @param fenced leases lost
 * @param forgotten times the coordinator was found to have lost writes it had acknowledged
 * @param claims worker ids leased
 */
public record KeeperStats(long renewals, long failedRenewals, long fenced, long forgotten, long claims) {}
