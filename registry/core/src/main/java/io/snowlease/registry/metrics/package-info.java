/** Binds a registry's state and counts to Micrometer; needs micrometer-core on the class path, nothing else here does. */
package io.snowlease.registry.metrics;
