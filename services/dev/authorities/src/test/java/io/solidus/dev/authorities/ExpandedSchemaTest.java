package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.common.AuthoritySchema;
import io.solidus.authority.common.ShardSchema;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.testkit.MigrationRules;
import io.solidus.dev.testkit.world.Replies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A process of this release starts on schemas that the next release has expanded already, and pays:
 * what a roll-back or a restart in a roll-out is.
 */
class ExpandedSchemaTest {

  private static final String AUTHORITY =
      "-- expand: a release that does not exist\nALTER TABLE policies ADD COLUMN next text;\nCREATE TABLE next (id bigint PRIMARY KEY);\n";
  private static final String SHARD =
      """
      -- expand: a release that does not exist
      ALTER TABLE cores ADD COLUMN next text;
      ALTER TABLE serials ADD COLUMN next smallint NOT NULL DEFAULT 0;
      """;

  @TempDir Path folder;

  @Test
  void paysOnTheSchemaOfTheNextRelease() throws Exception {
    try (RegulatedWorld world = RegulatedWorld.create()) {
      DataSource database =
          new DriverManagerDataSource(world.postgres.url("authority_1"), "postgres", "postgres");
      AuthoritySchema.migrate(database);
      expand(database, AuthoritySchema.NAME, AUTHORITY, "classpath:db/validator/authority");
      for (int shard = 0; shard < Authority.SHARDS; shard++) {
        ShardSchema.migrate(database, shard);
        expand(
            database,
            ShardSchema.name(shard),
            SHARD,
            "classpath:db/outbox",
            "classpath:db/validator/shard");
      }
      world.start();
      Replies.signed(world.submit(world.draft(world.walletOn(0), 1).prove(world.rules())));
      assertThat(
              JdbcClient.create(database)
                  .sql("SELECT count(*) FROM shard_0.cores WHERE reply IS NOT NULL")
                  .query(Long.class)
                  .single())
          .isEqualTo(1);
    }
  }

  private void expand(DataSource database, String schema, String sql, String... present)
      throws IOException {
    assertThat(MigrationRules.notExpanding(sql)).isEmpty();
    Path next = Files.createDirectories(folder.resolve(schema));
    Files.writeString(next.resolve("V99999__next.sql"), sql);
    String[] locations = Arrays.copyOf(present, present.length + 1);
    locations[present.length] = "filesystem:" + next;
    int run =
        Flyway.configure()
            .dataSource(database)
            .schemas(schema)
            .defaultSchema(schema)
            .locations(locations)
            .load()
            .migrate()
            .migrationsExecuted;
    assertThat(run).isEqualTo(1);
  }
}
