/** What is in the docker folder, used. */
@NullMarked
package io.snowlease.it.docker;

import org.jspecify.annotations.NullMarked;
