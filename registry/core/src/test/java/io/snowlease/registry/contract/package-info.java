/** The suite that every store passes, published as a test-jar. */
package io.snowlease.registry.contract;
