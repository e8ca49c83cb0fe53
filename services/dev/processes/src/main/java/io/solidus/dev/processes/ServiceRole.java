package io.solidus.dev.processes;

import java.util.Locale;

/**
 * What a process does. The programs are held by name: this module depends on no service, and the
 * module that starts a process provides the class path.
 */
public enum ServiceRole {
  SIGNER("io.solidus.authority.signer.SignerApplication", "signer"),
  SHARD("io.solidus.authority.shard.ShardApplication", "validator"),
  GATEWAY("io.solidus.edge.gateway.GatewayApplication", "gateway"),
  /** Splits a range, and is ready when that is done. */
  SPLIT("io.solidus.authority.shard.SplitApplication", "validator"),
  /** Brings a restored database up to the sign-log, and is ready when that is done. */
  RECOVER("io.solidus.authority.signer.RecoverApplication", "signer");

  private final String application;
  private final String configuration;

  ServiceRole(String application, String configuration) {
    this.application = application;
    this.configuration = configuration;
  }

  /** The main class. */
  public String application() {
    return application;
  }

  /** NAME of its configuration file, solidus-NAME.yml. */
  String configuration() {
    return configuration;
  }

  /** Whether the program ends by itself. */
  boolean isCommand() {
    return this == SPLIT || this == RECOVER;
  }

  /** The role's name in properties, and the name of its process. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of a label, which a number may follow: "shard-1". */
  static ServiceRole of(String label) {
    int end = label.indexOf('-');
    return valueOf((end < 0 ? label : label.substring(0, end)).toUpperCase(Locale.ROOT));
  }
}
