/** The store port: what the protocol needs of a coordinator, an array of compare-and-set registers. */
package io.snowlease.registry.spi;
