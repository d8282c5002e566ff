/** An archive of the runnable jar's classes, for JVMs that start faster. */
package io.snowlease.admin.sharing;
