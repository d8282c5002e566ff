/** A store on the heap, for tests and for processes that need no coordinator. */
package io.snowlease.registry.memory;
