package io.solidus.authority.common;

import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The schema of one shard, in the database that all shards of an authority share. */
public final class ShardSchema {

  private ShardSchema() {}

  public static String name(int shard) {
    return "shard_" + shard;
  }

  /**
   * Creates and migrates the schema, as the shard itself does at its start (solidus-validator.yml).
   */
  public static void migrate(DataSource database, int shard) {
    Flyway.configure()
        .dataSource(database)
        .schemas(name(shard))
        .defaultSchema(name(shard))
        .locations("classpath:db/outbox", "classpath:db/validator/shard")
        .load()
        .migrate();
  }

  /** The numbers of the shards that have a schema. */
  public static List<Integer> existing(JdbcClient jdbc) {
    return jdbc.sql(
            """
            SELECT substr(schemaname, 7)::integer FROM pg_catalog.pg_tables
            WHERE tablename = 'ownership' AND schemaname ~ '^shard_[0-9]{1,6}$' ORDER BY 1
            """)
        .query(Integer.class)
        .list();
  }
}
