/** Snowlease against real coordinators in containers, with faults; every id of every node goes into one checker. */
@org.jspecify.annotations.NullMarked
package io.snowlease.it;
