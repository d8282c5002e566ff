/** The life of a server: leases a worker id, waits for one as long as it takes, gives it back at the end. */
package io.snowlease.admin.serve;
