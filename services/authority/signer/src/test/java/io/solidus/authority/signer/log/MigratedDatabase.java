package io.solidus.authority.signer.log;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.common.SignerSchema;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;

/**
 * Databases of an authority with two shards, copied from one that is migrated once for all tests.
 */
public final class MigratedDatabase {
  private static final TestDatabase TEMPLATE = migrate(TestPostgres.newDatabase());

  private MigratedDatabase() {}

  /** A database without rows. */
  public static TestDatabase fresh() {
    return TestPostgres.copyOf(TEMPLATE);
  }

  private static TestDatabase migrate(TestDatabase database) {
    AuthorityDatabase.open(database.dataSource());
    SignerSchema.migrate(database.dataSource());
    ShardSchema.migrate(database.dataSource(), 0);
    ShardSchema.migrate(database.dataSource(), 1);
    return database;
  }
}
