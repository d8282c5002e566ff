/** What the tests of more than one store need, published with the suite. */
package io.snowlease.registry.testing;
