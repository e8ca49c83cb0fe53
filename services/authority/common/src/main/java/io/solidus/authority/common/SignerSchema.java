package io.solidus.authority.common;

import javax.sql.DataSource;

/**
 * Creates and migrates the schema of the signer's own table. Only the signer and its recovery do
 * so: where they have a role of their own the schema belongs to it, and no shard can write there.
 */
public final class SignerSchema {

  public static final String NAME = "signer";

  private SignerSchema() {}

  public static void migrate(DataSource database) {
    AuthoritySchema.migrate(database, NAME, "classpath:db/validator/signer");
  }
}
