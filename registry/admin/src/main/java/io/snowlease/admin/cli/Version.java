package io.snowlease.admin.cli;

import picocli.CommandLine.IVersionProvider;

/** The jar's version. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"snowlease " + (version == null ? "(not from its jar)" : version)};
    }
}
