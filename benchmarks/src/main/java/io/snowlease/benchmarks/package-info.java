/** How fast ids are issued, measured against Agrona's generator in one run, and against fixed bars. */
package io.snowlease.benchmarks;
