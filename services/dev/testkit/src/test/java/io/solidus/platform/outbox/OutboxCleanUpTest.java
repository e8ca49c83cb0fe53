package io.solidus.platform.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TestPostgres;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@Tag("process")
class OutboxCleanUpTest {

  private final DataSource database = TestPostgres.newDatabase().dataSource();
  private final JdbcClient jdbc = JdbcClient.create(database);

  @Test
  void removesOnlyWhatWasPublishedLongAgo() {
    Flyway.configure().dataSource(database).locations("classpath:db/outbox").load().migrate();
    insert(2_500, "now() - interval '31 days'");
    insert(3, "now() - interval '29 days'");
    insert(2, "NULL");
    new OutboxCleanUp(jdbc).run();
    assertThat(count("published_at IS NOT NULL")).isEqualTo(3);
    assertThat(count("published_at IS NULL")).as("not published yet, however old").isEqualTo(2);
  }

  private void insert(int rows, String publishedAt) {
    jdbc.sql(
            "INSERT INTO outbox (event_id, topic, message_key, payload, created_at, published_at)"
                + " SELECT gen_random_uuid(), 't', '', '', now() - interval '60 days', "
                + publishedAt
                + " FROM generate_series(1, "
                + rows
                + ")")
        .update();
  }

  private long count(String condition) {
    return jdbc.sql("SELECT count(*) FROM outbox WHERE " + condition).query(Long.class).single();
  }
}
