/**
 * The command line, SnowleaseCommand first. Results go to stdout, everything else to stderr. Exit codes: 0; 1 with one
 * line on stderr for a refusal or failure; 2 for usage.
 */
package io.snowlease.admin.cli;
