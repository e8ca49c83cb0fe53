package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.signer.log.SpentRows.Spent;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.authority.spend.SpendStore.Signed;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Checks the query plans of a grown shard. A session plans a prepared statement once. A plan from
 * the time of an empty shard must not read whole tables later, even when the server never analyses
 * them: no {@code ANALYZE} runs here.
 */
@Tag("process")
class GrowthTest {
  private static final int GROWN = 20_000;
  private static final int BATCH = 16;
  private static final int BATCHES = 5;

  /**
   * Rows that one batch may read: three serial numbers of each transfer, some of them several
   * times.
   */
  private static final int ROWS = 3 * BATCH * 10;

  @Test
  void plansOfANewShardDoNotScanItsGrownTables() {
    // the migrations need three sessions; the rest runs on one thread, which gets the same session
    try (SpendStoreFixture fixture = new SpendStoreFixture(3)) {
      for (String table : List.of("serials", "cores")) {
        fixture.jdbc.sql("ALTER TABLE " + table + " SET (autovacuum_enabled = off)").update();
      }
      SpentRows signerRows = new SpentRows(fixture.jdbc);
      for (int i = 0; i < 12; i++) {
        spend(fixture, signerRows, 2);
      }
      while (count(fixture) < GROWN) {
        spend(fixture, signerRows, 256);
      }
      long before = rowsRead(fixture);
      for (int i = 0; i < BATCHES; i++) {
        spend(fixture, signerRows, BATCH);
      }
      assertThat(rowsRead(fixture) - before).isLessThan(BATCHES * ROWS);
    }
  }

  /**
   * With sequential scans disabled, plans for tables without an index look so expensive that
   * PostgreSQL would compile them, which takes a tenth of a second or more each time. The test
   * server has no JIT compiler, so only the setting can be tested.
   */
  @ParameterizedTest
  @ValueSource(strings = {"solidus-validator.yml", "solidus-signer.yml"})
  void jitCompilationIsOff(String resource) {
    TestDatabase database = TestPostgres.newDatabase();
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(1);
    config.setConnectionInitSql(SpendStoreFixture.sessionSettings(resource));
    try (HikariDataSource pool = new HikariDataSource(config)) {
      JdbcClient session = JdbcClient.create(pool);
      assertThat(session.sql("SHOW enable_seqscan").query(String.class).single()).isEqualTo("off");
      assertThat(session.sql("SHOW jit").query(String.class).single()).isEqualTo("off");
    }
  }

  /** Runs all queries for a batch of transfers, including the signer's. */
  private static void spend(SpendStoreFixture fixture, SpentRows signerRows, int transfers) {
    List<SpendRequest<Transfer>> batch = new ArrayList<>();
    for (int i = 0; i < transfers; i++) {
      batch.add(fixture.request());
    }
    List<Spent> rows = new ArrayList<>();
    batch.forEach(request ->
        request.serials().forEach(serial -> rows.add(new Spent(serial, request.core()))));
    assertThat(fixture.spendStore.answers(batch.stream().map(SpendRequest::core).toList()))
        .isEmpty();
    assertThat(fixture.spendStore.holders(rows.stream().map(Spent::serial).toList())).isEmpty();
    fixture
        .spendStore
        .reserve(
            batch.stream().map(request -> new Reservation<>(request, request.serials())).toList())
        .forEach(Outcome::get);
    assertThat(signerRows.missing(rows)).isZero();
    assertThat(signerRows.unreserved(rows, List.of())).isEmpty();
    assertThat(
            fixture.spendStore.store(
                batch.stream()
                    .map(request -> new Signed<>(request, SpendStoreFixture.answer()))
                    .toList()))
        .hasSize(transfers);
  }

  private static long count(SpendStoreFixture fixture) {
    return fixture.jdbc.sql("SELECT count(*) FROM serials").query(Long.class).single();
  }

  private static long rowsRead(SpendStoreFixture fixture) {
    fixture.jdbc.sql("SELECT pg_stat_force_next_flush()::text").query(String.class).list();
    return fixture
        .jdbc
        .sql(
            """
            SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = 'shard_0' AND relname IN ('serials', 'cores'))
              + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = 'shard_0' AND relname IN ('serials', 'cores'))
            """)
        .query(Long.class)
        .single();
  }
}
