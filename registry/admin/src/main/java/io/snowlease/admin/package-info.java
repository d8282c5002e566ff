/** The {@code snowlease} program: Main hands over to the command line. */
package io.snowlease.admin;
