package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.signer.log.SpentRows.Spent;
import io.solidus.authority.spend.Ledger.Reservation;
import io.solidus.authority.spend.Ledger.Signed;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A session plans a statement once. What it planned while a shard was new must not read whole
 * tables when the shard has grown, however long the server has not looked at them: no {@code
 * ANALYZE} runs here.
 */
class GrowthTest {
  private static final int GROWN = 20_000;
  private static final int BATCH = 16;
  private static final int BATCHES = 5;

  /**
   * Rows that one batch may touch: three serial numbers of each transfer, some of them several
   * times.
   */
  private static final int ROWS = 3 * BATCH * 10;

  @Test
  void plansOfANewShardDoNotReadAGrownOneWhole() {
    // migrations need three sessions; all that follows is one thread, which the pool gives the same
    // session
    try (LedgerWorld world = new LedgerWorld(3)) {
      for (String table : List.of("serials", "cores")) {
        world.jdbc.sql("ALTER TABLE " + table + " SET (autovacuum_enabled = off)").update();
      }
      SpentRows signers = new SpentRows(world.jdbc);
      for (int i = 0; i < 12; i++) {
        spend(world, signers, 2);
      }
      while (count(world) < GROWN) {
        spend(world, signers, 256);
      }
      long before = rowsRead(world);
      for (int i = 0; i < BATCHES; i++) {
        spend(world, signers, BATCH);
      }
      assertThat(rowsRead(world) - before).isLessThan(BATCHES * ROWS);
    }
  }

  /**
   * Without other plans the ones for tables that have no index look so dear to the server that it
   * compiles them, for a tenth of a second and more, every time. The tests' own server has no
   * compiler and would not show it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"solidus-validator.yml", "solidus-signer.yml"})
  void theServerIsNotLedIntoCompilingStatements(String resource) {
    TestDatabase database = TestPostgres.newDatabase();
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(1);
    config.setConnectionInitSql(LedgerWorld.sessionSettings(resource));
    try (HikariDataSource pool = new HikariDataSource(config)) {
      JdbcClient session = JdbcClient.create(pool);
      assertThat(session.sql("SHOW enable_seqscan").query(String.class).single()).isEqualTo("off");
      assertThat(session.sql("SHOW jit").query(String.class).single()).isEqualTo("off");
    }
  }

  /** All that is asked of the tables for a batch of transfers, the signer's questions included. */
  private static void spend(LedgerWorld world, SpentRows signers, int transfers) {
    List<Spend<Transfer>> batch = new ArrayList<>();
    for (int i = 0; i < transfers; i++) {
      batch.add(world.spend());
    }
    List<Spent> rows = new ArrayList<>();
    batch.forEach(
        spend -> spend.serials().forEach(serial -> rows.add(new Spent(serial, spend.core()))));
    assertThat(world.ledger.answers(batch.stream().map(Spend::core).toList())).isEmpty();
    assertThat(world.ledger.holders(rows.stream().map(Spent::serial).toList())).isEmpty();
    world
        .ledger
        .reserve(batch.stream().map(spend -> new Reservation<>(spend, spend.serials())).toList())
        .forEach(Outcome::get);
    assertThat(signers.missing(rows)).isZero();
    assertThat(signers.unreserved(rows, List.of())).isEmpty();
    assertThat(
            world.ledger.store(
                batch.stream().map(spend -> new Signed<>(spend, LedgerWorld.answer())).toList()))
        .hasSize(transfers);
  }

  private static long count(LedgerWorld world) {
    return world.jdbc.sql("SELECT count(*) FROM serials").query(Long.class).single();
  }

  private static long rowsRead(LedgerWorld world) {
    world.jdbc.sql("SELECT pg_stat_force_next_flush()::text").query(String.class).list();
    return world
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
