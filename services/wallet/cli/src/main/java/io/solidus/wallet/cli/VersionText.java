package io.solidus.wallet.cli;

import picocli.CommandLine.IVersionProvider;

/** The version from the jar's manifest; a class folder has none. */
final class VersionText implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = VersionText.class.getPackage().getImplementationVersion();
    return new String[] {"solidus wallet " + (version == null ? "(unpackaged)" : version)};
  }
}
