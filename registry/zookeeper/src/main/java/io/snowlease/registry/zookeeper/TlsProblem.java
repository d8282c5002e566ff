package io.snowlease.registry.zookeeper;

import java.security.UnrecoverableKeyException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import org.jspecify.annotations.Nullable;

/** What a failed TLS handshake means. */
final class TlsProblem {
    private TlsProblem() {}

    /** For people; null if it may have been anything, such as a server that is being stopped. */
    @Nullable
    static String of(Exception failed, String trustStore) {
        Throwable root = rootOf(failed);
        if (root instanceof CertificateExpiredException) {
            return "its certificate has expired (" + root.getMessage() + ")";
        }
        if (root instanceof CertificateNotYetValidException) {
            return "its certificate is not valid yet (" + root.getMessage() + ")";
        }
        if (root instanceof CertPathBuilderException) {
            return "its certificate is not signed by one of " + trustStore;
        }
        if (root instanceof CertificateException) {
            return "its certificate is not that of this host (" + root.getMessage() + ")";
        }
        if (holds(failed, CertificateException.class)) {
            return "its certificate is refused, going by " + trustStore + " (" + root.getMessage() + ")";
        }
        String message = String.valueOf(root.getMessage());
        if (message.startsWith("Received fatal alert: ")) {
            return "it refuses the handshake, as when it wants a certificate of this node, and none is given in a key"
                    + " store that it trusts (" + message.substring("Received fatal alert: ".length()) + ")";
        }
        return null;
    }

    /** Why a file of certificates or keys can't be used, for people. */
    static String ofFile(Exception failed) {
        return holds(failed, UnrecoverableKeyException.class) ? "its password is wrong" : root(failed);
    }

    /** The innermost cause, for people. */
    static String root(Exception failed) {
        Throwable root = rootOf(failed);
        String message = root.getMessage();
        return message == null || message.isBlank() ? root.toString() : message;
    }

    private static boolean holds(Exception failed, Class<? extends Exception> type) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private static Throwable rootOf(Exception failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
