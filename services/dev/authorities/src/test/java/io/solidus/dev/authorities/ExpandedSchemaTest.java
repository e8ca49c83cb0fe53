package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.common.AuthoritySchema;
import io.solidus.authority.common.ShardSchema;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.testkit.MigrationRules;
import io.solidus.dev.testkit.world.Replies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Starts processes of this release on schemas that the next release has expanded already and makes
 * a payment. This is what a roll-back, or a restart during a roll-out, does.
 */
@Tag("process")
class ExpandedSchemaTest {

  private static final String AUTHORITY =
      "-- expand: a release that does not exist\nALTER TABLE policies ADD COLUMN next text;\nCREATE TABLE next (id bigint PRIMARY KEY);\n";
  private static final String SHARD =
      """
      -- expand: a release that does not exist
      ALTER TABLE cores ADD COLUMN next text;
      ALTER TABLE serials ADD COLUMN next smallint NOT NULL DEFAULT 0;
      """;

  @TempDir private Path folder;

  @Test
  void paysOnTheSchemaOfTheNextRelease() throws Exception {
    try (RegulatedNetwork network = RegulatedNetwork.create()) {
      DataSource database = network.database.dataSource();
      AuthoritySchema.migrate(database);
      expand(database, AuthoritySchema.NAME, AUTHORITY, "classpath:db/validator/authority");
      for (int shard = 0; shard < TestAuthority.SHARDS; shard++) {
        ShardSchema.migrate(database, shard);
        expand(
            database,
            ShardSchema.name(shard),
            SHARD,
            "classpath:db/outbox",
            "classpath:db/validator/shard");
      }
      network.start();
      Replies.signed(network.submit(network.transfer(0, 1)));
      assertThat(
              JdbcClient.create(database)
                  .sql("SELECT count(*) FROM shard_0.cores WHERE reply IS NOT NULL")
                  .query(Long.class)
                  .single())
          .isEqualTo(1);
    }
  }

  private void expand(DataSource database, String schema, String sql, String... current)
      throws IOException {
    assertThat(MigrationRules.notExpanding(sql)).isEmpty();
    Path next = Files.createDirectories(folder.resolve(schema));
    Files.writeString(next.resolve("V99999__next.sql"), sql);
    String[] locations = Arrays.copyOf(current, current.length + 1);
    locations[current.length] = "filesystem:" + next;
    int migrations =
        Flyway.configure()
            .dataSource(database)
            .schemas(schema)
            .defaultSchema(schema)
            .locations(locations)
            .load()
            .migrate()
            .migrationsExecuted;
    assertThat(migrations).isEqualTo(1);
  }
}
